/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the plan of a trace, and what became of its settings. */
#ifndef WEIR_CONTROL_OUTCOME_H
#define WEIR_CONTROL_OUTCOME_H

#include "trace/layout/control_layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_store;

struct weir_outcome_setting {
	char *name; /* NULL: nobody has told yet */
	char *value, *file, *dataset; /* patterns; NULL: of all */
	uint32_t target; /* enum weir_plan_target; 0: nobody has told */
	uint64_t counts[WEIR_CONTROL_VERDICTS]; /* enum weir_plan_verdict */
	uint32_t verdict; /* of which `why` is an example */
	char why[WEIR_CONTROL_WORDS]; /* "": nothing was said */
};

struct weir_outcome {
	uint64_t check; /* of the flat plan; 0: nobody has told yet */
	bool mixed;	/* other traces ran by another plan: not in here */
	uint64_t unplanned; /* images that could not take the plan */
	uint32_t count; /* of settings */
	struct weir_outcome_setting settings[WEIR_CONTROL_SETTINGS];
};

/* What a verdict is called, in reports and in JSON; "?": none is. */
const char *weir_outcome_word(uint64_t verdict);

/* An empty one; to be freed. NULL: no memory. */
struct weir_outcome *weir_outcome_new(void);
void weir_outcome_free(struct weir_outcome *outcome); /* NULL: nothing */

/* The next setting of the plan. NULL and "" are the same. */
struct weir_outcome_words {
	const char *name, *value, *file, *dataset;
	uint32_t target;
};

int weir_outcome_name(struct weir_outcome *outcome,
		      const struct weir_outcome_words *words);

/*
 * What a control file tells (fd -1: nothing). Counts grow: the higher ones are
 * right.
 */
void weir_outcome_count(struct weir_outcome *outcome, int control_fd);

/* Writes a PLAN block. */
int weir_outcome_put(const struct weir_outcome *outcome,
		     struct weir_store *store);

/*
 * Writes what the control file of a live directory tells, if that is anything:
 * the plan itself was told as the trace began.
 */
int weir_outcome_salvage(int dir_fd, struct weir_store *store);

/* Takes a PLAN block of the same node, in any order. -EBADMSG, -ENOMEM. */
int weir_outcome_parse(struct weir_outcome *outcome, const void *text,
		       size_t size);

/* The same, into what is made when it is needed. */
int weir_outcome_take(struct weir_outcome **outcome, const void *text,
		      size_t size);

/* Adds another node's; `from` may be NULL. */
int weir_outcome_add(struct weir_outcome **to, const struct weir_outcome *from);

/* The sum of the PLAN blocks of a file; *to stays when it has none. */
int weir_outcome_read(int fd, struct weir_outcome **to);

/* How often a setting was to be applied. */
uint64_t weir_outcome_tries(const struct weir_outcome_setting *setting);

#endif
