/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches a path with many patterns at once and finds the first that fits. */
#ifndef WEIR_BASE_GLOBSET_H
#define WEIR_BASE_GLOBSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_GLOBSET_CHAINS 64

/*
 * One pattern at a place where it can begin. Its first bytes that stand for
 * themselves, up to two words, are compared before the rest of it.
 */
struct weir_globset_try {
	const char *rest;
	uint64_t head[2], mask[2];
	uint8_t skipped; /* bytes that the words have of it */
	uint16_t number; /* of the pattern, in the order they were added */
	uint16_t next;	 /* place of the next one in its chain + 1; 0: none */
};

/*
 * Chains by the letters that a try begins with, so that one pass over a path
 * meets the few patterns that can match and no others. Zeros to begin with,
 * but for `tries` and `room`.
 */
struct weir_globset {
	struct weir_globset_try *tries;
	uint16_t room;	/* for tries */
	uint16_t count; /* of tries */
	uint16_t patterns;
	uint16_t tails;	   /* chain: from a path's end */
	uint16_t any;	   /* chains: with no letter known to begin with, */
	uint16_t any_last; /* the same from the last component */
	uint16_t wholes[WEIR_GLOBSET_CHAINS];  /* from a path's beginning */
	uint16_t lasts[WEIR_GLOBSET_CHAINS];   /* from the last component */
	uint16_t parts[WEIR_GLOBSET_CHAINS];   /* from any component, */
	uint64_t seconds[WEIR_GLOBSET_CHAINS]; /* and their second letters */
};

/*
 * Add a pattern, of which the set keeps the pointer: at most two tries. As a
 * name, it is tried on the last component too when it has no /; see glob.h.
 * False: there is no room.
 */
bool weir_globset_add(struct weir_globset *set, const char *pattern,
		      bool is_name);

/* The number of the first pattern from `from` on that matches, or -1. */
int weir_globset_find(const struct weir_globset *set, const char *path,
		      size_t len, int from);

#endif
