/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what weir itself can do about a finding: settings, options. */
#ifndef WEIR_FINDINGS_REMEDY_H
#define WEIR_FINDINGS_REMEDY_H

#include "spec/findings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_REMEDY_MOST  4   /* settings, and options */
#define WEIR_REMEDY_VALUE 64  /* bytes of a value, and NUL */

/* KEY=VALUE of a plan, or --KEY[=VALUE] of weir run. */
struct weir_remedy_part {
	const char *key; /* not terminated: */
	size_t key_len;
	char value[WEIR_REMEDY_VALUE]; /* "": none */
	bool by_file; /* a setting of the finding's files alone */
	bool is_proven; /* a setting that wants the trace as its proof */
};

/* Nothing: the program has to be changed. Zero it to begin. */
struct weir_remedy {
	struct weir_remedy_part settings[WEIR_REMEDY_MOST];
	struct weir_remedy_part options[WEIR_REMEDY_MOST];
	unsigned setting_count, option_count;
	bool is_kept; /* the plan lies in the trace's directory */
};

struct weir_runfacts;

/*
 * By what the rule has under `try`, as far as it is true of this run; `need`:
 * bytes of the cache that would help, or 0.
 */
void weir_remedy_find(const struct weir_rule *rule, uint64_t need,
		      const struct weir_runfacts *facts,
		      struct weir_remedy *ret_remedy);

static inline bool weir_remedy_is_any(const struct weir_remedy *remedy)
{
	return remedy->setting_count || remedy->option_count;
}

/* A first step: the plan to try is proven by its trace. */
bool weir_remedy_is_for_proof(const struct weir_remedy *remedy);

#endif
