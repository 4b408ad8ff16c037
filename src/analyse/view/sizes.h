/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts requests by size. */
#ifndef WEIR_VIEW_SIZES_H
#define WEIR_VIEW_SIZES_H

#include "analyse/calls/traffic.h"
#include "trace/layout/sum_layout.h"

#include <stdint.h>

#define WEIR_SIZES_EXACT 65536 /* different sizes, at most */

struct weir_sizes_row {
	uint64_t from, to;
	uint64_t count[2]; /* reads, writes */
};

/* How sizes are told apart. */
enum weir_sizes_grain {
	WEIR_SIZES_EACH,
	WEIR_SIZES_POWERS,  /* of two: from 2^k up to below 2^(k+1) */
	WEIR_SIZES_CLASSES, /* those of a profile */
};

/* Wants weir_sizes_fini. */
struct weir_sizes {
	struct weir_sizes_row *rows; /* by size; those that have requests */
	uint32_t count;
	enum weir_sizes_grain grain;
	int folded;	   /* there were too many to tell them apart */
	uint64_t total[2];
	uint64_t unsure;   /* counted requests of a profile: reads or writes? */
};

/* What requests asked for; powers: not each for itself. 0 or -errno. */
int weir_sizes_gather(struct weir_sizes *sizes, struct weir_traffic *traffic,
		      int powers);
void weir_sizes_fini(struct weir_sizes *sizes);

/* The same in powers of two; for who has no room for each. */
int weir_sizes_fold(const struct weir_sizes *sizes,
		    struct weir_sizes *ret_folded);

#endif
