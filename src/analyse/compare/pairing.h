/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs the things of one run with those of another. */
#ifndef WEIR_COMPARE_PAIRING_H
#define WEIR_COMPARE_PAIRING_H

#include <stddef.h>
#include <stdint.h>

/* How it is known, from the surest on. */
enum weir_pairing_how {
	WEIR_PAIRED_NAME,    /* the same name */
	WEIR_PAIRED_PLACE,   /* the same below where each run worked */
	WEIR_PAIRED_FORM,    /* the same but for numbers */
	WEIR_PAIRED_RANK,
	WEIR_PAIRED_PROGRAM, /* the same, in the same order */
	WEIR_PAIRED_ORDER,
	WEIR_PAIRED_ONLY_A,  /* with nothing */
	WEIR_PAIRED_ONLY_B,
};

const char *weir_pairing_how_name(enum weir_pairing_how how);

/* Groups are numbered from 1; each has things of both runs, or is one thing. */
struct weir_pairing {
	size_t count[2];
	uint32_t *group[2]; /* by thing; 0: none yet */
	uint8_t *how;	    /* by group - 1 */
	uint32_t groups;
};

/* 0 or -ENOMEM; wants weir_pairing_fini either way. */
int weir_pairing_init(struct weir_pairing *pairing, size_t count_a,
		      size_t count_b);
void weir_pairing_fini(struct weir_pairing *pairing);

/*
 * Things without a group that have the same key in both runs, however many,
 * become one. A key of 0 is like no other. To be tried from the surest on.
 */
int weir_pairing_try(struct weir_pairing *pairing, enum weir_pairing_how how,
		     const uint64_t *const keys[2]);

/* What is left is each for itself. */
void weir_pairing_end(struct weir_pairing *pairing);

#endif
