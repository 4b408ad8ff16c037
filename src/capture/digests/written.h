/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Knows which parts of a file were written, and the sum of each piece as it was
 * written last: who writes the same piece again need not read what was there.
 * When there are too many pieces, neighbours are joined, and it may hold more
 * than was written; then it is coarse.
 */
#ifndef WEIR_DIGESTS_WRITTEN_H
#define WEIR_DIGESTS_WRITTEN_H

#include "capture/digests/piecelist.h"

#include <stdbool.h>
#include <stddef.h>

struct weir_extent {
	uint64_t from, to;
};

/* All zeros: nothing was written. */
struct weir_written {
	struct weir_piecelist pieces;
};

/* What was there before, and is not any more. */
struct weir_written_old {
	struct weir_digest sum, cover;
	uint64_t bytes;
	bool is_inexact; /* not all of it could be said */
};

/*
 * A piece is written now; what was there is replaced. `joins`: with the piece
 * before it, as long as both are small.
 */
void weir_written_put(struct weir_written *w, const struct weir_piece *piece,
		      bool joins, struct weir_written_old *ret_old);

/*
 * A piece of the very bytes of one whose sum is known takes its place; false:
 * there is no such piece, and nothing was done.
 */
bool weir_written_replace(struct weir_written *w,
			  const struct weir_piece *piece,
			  struct weir_digest *ret_old);

/* All of a range is gone. */
void weir_written_take(struct weir_written *w, uint64_t from, uint64_t to,
		       struct weir_written_old *ret_old);

/* The first part of a range that was written; false: none was. */
bool weir_written_find(struct weir_written *w, uint64_t from, uint64_t to,
		       struct weir_extent *ret);

/*
 * The first part that was written and whose sum is not known by itself; false:
 * none. Who has read it says its sum, while nobody has changed it.
 */
bool weir_written_blind(struct weir_written *w, uint64_t from, uint64_t to,
			struct weir_extent *ret);
void weir_written_learn(struct weir_written *w, struct weir_extent part,
			const struct weir_digest *sum);

bool weir_written_is_coarse(const struct weir_written *w);
void weir_written_clear(struct weir_written *w);

/*
 * As text, see trace/layout/digest_layout.h. False: there was no room for all,
 * and what is said holds more.
 */
bool weir_written_tell(struct weir_written *w, char *to, size_t room);

#endif
