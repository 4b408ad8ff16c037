/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses some calls of a trace, each with all calls that caused it. */
#ifndef WEIR_PAGE_SAMPLE_H
#define WEIR_PAGE_SAMPLE_H

#include "analyse/calls/tree.h"
#include "trace/bytes/map.h"

#include <stddef.h>
#include <stdint.h>

#define WEIR_SAMPLE_MOST  50000 /* calls; fewer are all taken */
#define WEIR_SAMPLE_EVEN  40000 /* of them by chance, at most */
#define WEIR_SAMPLE_SLOW  12000 /* of them because they are slow, at most */
#define WEIR_SAMPLE_BELOW 32	/* below one that is taken, likewise */
#define WEIR_SAMPLE_NONE  UINT32_MAX

/* Why a call is in the sample; it may be for several reasons. */
#define WEIR_SAMPLE_SHOWS   1  /* it, or one above it, is evidence */
#define WEIR_SAMPLE_IS_SLOW 2  /* the slowest of its call and file */
#define WEIR_SAMPLE_CHANCE  4  /* in the even part */
#define WEIR_SAMPLE_CAUSES  8  /* one below it is in the sample */
#define WEIR_SAMPLE_PART    16 /* one of the application is, that caused it */

/* flags */
#define WEIR_SAMPLE_FAILED  1
#define WEIR_SAMPLE_ENTERED 2 /* it never returned */
#define WEIR_SAMPLE_UNKNOWN 4 /* its caller is not among the events */
#define WEIR_SAMPLE_NOOFF   8

struct weir_exemplar {
	struct weir_tree_id id;
	uint64_t above; /* index of the caller in its thread, or UINT64_MAX */
	uint64_t cid, cause; /* for others, and for whom it is; 0: nobody */
	uint64_t batch; /* another number of it, which its like have, too */
	uint64_t start, dur; /* ns; start since the begin */
	uint64_t size;
	int64_t off, ret;
	uint64_t key;	 /* of the even part: the lower, the sooner taken */
	uint64_t below;	 /* events, as far as is known */
	uint32_t order;	 /* among the transfers of its process and file */
	uint32_t site;	 /* number, or NONE */
	uint32_t parent; /* in the end: index of the caller, or NONE */
	uint16_t call, file;
	uint8_t layer, class, depth, flags, why;
};

/* What is known of an open call, for those below it. */
struct weir_sample_open {
	struct weir_exemplar it;
	struct weir_sample_open *above, *top;
	uint32_t refs;
	uint32_t left_even, left_shown; /* that may be taken below it */
	uint32_t node; /* of the ways by which calls are made */
	uint8_t is_wanted, is_shown;
};

struct weir_sample_list {
	struct weir_exemplar *list;
	size_t count, room;
};

/* Zero it to begin, then plan. */
struct weir_sample {
	uint64_t bound; /* keys up to here are in the even part */
	uint32_t below; /* how many are taken below one that is taken */
	struct weir_sample_list shown, even;
	struct weir_map slow_index; /* call and file to number + 1 */
	struct weir_sample_slow *slow;
	size_t slow_count, slow_room;
};

void weir_sample_fini(struct weir_sample *sample);

/* How large the even part may be, of so many calls. */
void weir_sample_plan(struct weir_sample *sample, uint64_t calls);

/* Begins a call below another (or NULL); NULL: no memory. */
struct weir_sample_open *weir_sample_open(struct weir_sample_open *above);
void weir_sample_close(struct weir_sample_open *open);

/* `open->it` is complete: takes it, if it is to be. 0 or -ENOMEM. */
int weir_sample_take(struct weir_sample *sample, struct weir_sample_open *open,
		     int is_evidence);

/*
 * Adds all of another, whose sites have numbers from `sites` on; who of equals
 * wins does not depend on the order.
 */
int weir_sample_merge(struct weir_sample *to, const struct weir_sample *from,
		      uint32_t sites);

/*
 * Those that are told of, at most WEIR_SAMPLE_MOST, by start, with their
 * parents. To be freed.
 */
int weir_sample_choose(const struct weir_sample *sample,
		       struct weir_exemplar **ret_list, uint32_t *ret_count);

#endif
