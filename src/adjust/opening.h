/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds one open to which a plan is applied, and how its settings went. */
#ifndef WEIR_ADJUST_OPENING_H
#define WEIR_ADJUST_OPENING_H

#include "adjust/buffers.h"
#include "gate/gate.h"
#include "plan/plan_layout.h"

#define WEIR_OPENED_MOST    12 /* settings of one open */
#define WEIR_OPENED_SAID    24
#define WEIR_OPENED_LETTERS 32 /* of a stream's mode */

/* How a setting went. */
struct weir_opened_effect {
	const struct weir_plan_setting *setting;
	enum weir_plan_verdict verdict;
	const char *why;	     /* NULL: what was read back */
	char said[WEIR_OPENED_SAID]; /* that */
};

struct weir_opened {
	struct weir_beside beside;
	int dirfd, flags;
	unsigned perms;
	bool has_perms;
	const char *path;    /* NULL: it has none */
	const char *letters; /* of a stream */
	struct weir_stream *stream; /* that is closed */
	struct weir_buffer buffer;  /* which it had */
	bool mends;	     /* permissions of a file made before the call */
	unsigned mended;     /* to what they are to be */
	uint32_t count;
	struct weir_opened_effect effects[WEIR_OPENED_MOST];
	char own_letters[WEIR_OPENED_LETTERS];
};

/* How a setting went. */
void weir_opening_note(struct weir_opened *plan,
		       const struct weir_plan_setting *setting,
		       enum weir_plan_verdict verdict, const char *why);

/* The same, by what was read back. */
void weir_opening_measure(struct weir_opened *plan,
			  const struct weir_plan_setting *setting,
			  int64_t asked, int64_t found);

#endif
