/* SPDX-License-Identifier: BSD-3-Clause */
/* Judges clues by the rules: findings, the largest saving first. */
#ifndef WEIR_FINDINGS_FINDINGS_H
#define WEIR_FINDINGS_FINDINGS_H

#include "analyse/findings/remedy.h"
#include "analyse/findings/runfacts.h"
#include "spec/findings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_FINDING_SHOWN 5 /* files, and events, that are named */

struct weir_finding_file {
	uint32_t file; /* number in the names */
	uint64_t count, bytes, time, saving; /* of all processes */
};

struct weir_finding {
	const struct weir_rule *rule;
	enum weir_level level; /* never BY_SAVING */
	enum weir_saves saves; /* as its rule says, if calls were timed */
	uint64_t count, of, bytes, time;
	uint64_t files, processes;
	uint64_t saving; /* ns of the process that would save most */
	uint64_t saving_of_all; /* added up over processes */
	uint32_t slowest; /* that process; 0: none */
	uint64_t need; /* bytes of the cache that would help; 0: none */
	uint64_t programs; /* of that, what only the program can change */
	bool from_sums; /* of a profile: single calls are not known */
	struct weir_remedy remedy;
	struct weir_finding_file top[WEIR_FINDING_SHOWN];
	unsigned top_count;
	struct weir_witness evidence[WEIR_FINDING_SHOWN]; /* slowest first */
	unsigned evidence_count;
	char *sites[WEIR_FINDING_SHOWN]; /* of the evidence; NULL: not known */
};

/* Zero it to begin. */
struct weir_findings {
	struct weir_finding *list;
	size_t count;
	struct weir_finding *answers; /* of what-if rules, in their order */
	size_t answer_count;
	uint64_t span; /* ns that the run took, as far as is known */
	/* What they are of, for who tells what to try; borrowed, or NULL: */
	const char *trace;
	const struct weir_reader *reader;
};

/* Judges the clues by the rules. 0 or -ENOMEM. */
int weir_findings_conclude(const struct weir_runfacts *facts,
			   struct weir_findings *ret_findings);
void weir_findings_fini(struct weir_findings *findings);

/* The highest level among them; BY_SAVING when there are none. */
enum weir_level weir_findings_level(const struct weir_findings *findings);

const char *weir_findings_level_name(enum weir_level level);

#endif
