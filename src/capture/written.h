/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which parts of a file were written: a sorted list of extents, in memory of
 * its own. When there are too many, neighbours are joined, and it may hold
 * more than was written; then it is coarse.
 */
#ifndef WEIR_CAPTURE_WRITTEN_H
#define WEIR_CAPTURE_WRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_WRITTEN_FEW  8
#define WEIR_WRITTEN_MOST 65536

struct weir_extent {
	uint64_t from, to;
};

/* All zeros: nothing was written. */
struct weir_written {
	struct weir_extent *more; /* NULL: `few` is enough */
	uint32_t count, room;
	bool is_coarse;
	struct weir_extent few[WEIR_WRITTEN_FEW];
};

void weir_written_add(struct weir_written *w, uint64_t from, uint64_t to);

/* The first part of a range that was written; false: none was. */
bool weir_written_find(const struct weir_written *w, uint64_t from,
		       uint64_t to, struct weir_extent *ret);

/* What lies from here on is gone. */
void weir_written_cut(struct weir_written *w, uint64_t from);
void weir_written_clear(struct weir_written *w);

/*
 * As text, see trace/proof_layout.h. False: there was no room for all, and
 * what is said holds more.
 */
bool weir_written_tell(const struct weir_written *w, char *to, size_t room);

#endif
