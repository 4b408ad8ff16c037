/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides when what was written is stored. Pure: who asks brings the time, all
 * times are in ns of one clock.
 */
#ifndef WEIR_CACHE_POLICY_H
#define WEIR_CACHE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#define WEIR_POLICY_NEVER UINT64_MAX

struct weir_policy {
	uint64_t cache; /* bytes */
	uint64_t idle, age; /* a file is stored when not written for so long,
			       or when something of it is as old */
	uint64_t bulk; /* or when it has as many bytes */
	bool is_lazy; /* only when there is much */
	bool is_prompt; /* at once */
	/* of the policy: */
	bool is_pressed; /* there was more than half, not yet under a quarter */
};

/* How much there is now; `is_short`: somebody waits for memory. */
void weir_policy_weigh(struct weir_policy *policy, uint64_t bytes,
		       bool is_short);

/* What is known of a file. */
struct weir_policy_file {
	uint64_t bytes;	  /* that are not stored */
	uint64_t changed; /* when it was last written */
	uint64_t oldest;  /* when the oldest of it was */
	uint32_t tries;	  /* that failed, without one that did not */
	uint64_t retry;	  /* not before that, if there were any */
};

/* When it is to be stored: 0 at once, WEIR_POLICY_NEVER when asked to. */
uint64_t weir_policy_due(const struct weir_policy *policy,
			 const struct weir_policy_file *file);

/* When to try again what failed just now, for so many times: 1 s .. 60 s. */
uint64_t weir_policy_retry(uint64_t now, uint32_t tries);

#endif
