/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds what findings promise: no more can be saved than is spent. */
#ifndef WEIR_FINDINGS_BOUND_H
#define WEIR_FINDINGS_BOUND_H

#include "analyse/findings/runfacts.h"

#include <stddef.h>
#include <stdint.h>

/* What bounds the savings of all rules of a run. Zero it to begin. */
struct weir_bound {
	const struct weir_runfacts *facts; /* borrowed */
	uint64_t span;	  /* ns that the run took; 0: not known */
	uint64_t *saved;  /* by process; of one rule, while it is judged */
	size_t count;	  /* of processes, from 0 */
};

/* 0 or -ENOMEM. */
int weir_bound_init(struct weir_bound *bound,
		    const struct weir_runfacts *facts);
void weir_bound_fini(struct weir_bound *bound);

/*
 * What a process can save, when its clues say `saving` of calls that took
 * `time`, all threads added up.
 */
uint64_t weir_bound_process(const struct weir_bound *bound, uint32_t rule,
			    uint32_t proc, uint64_t saving, uint64_t time);

/*
 * How much sooner the slowest rank would be done, if each process saved what
 * `saved` tells, most of all this one: what others that run at the same time
 * still do with the system, all have to wait for.
 */
uint64_t weir_bound_run(const struct weir_bound *bound, uint32_t rule,
			uint32_t proc, uint64_t saving);

#endif
