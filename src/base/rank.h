/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which process of a parallel program this one is. */
#ifndef WEIR_BASE_RANK_H
#define WEIR_BASE_RANK_H

#include <stdbool.h>

/* What its launcher says in the environment, by spec/ranks. */
struct weir_rank {
	const char *launcher;
	const char *rank;
	const char *size; /* or NULL */
	char job[128];	  /* or empty */
};

/* False: nobody says so. The texts are borrowed from the environment. */
bool weir_rank_find(char *const *environment, struct weir_rank *ret_rank);

#endif
