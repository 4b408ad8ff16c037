/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out a tree of calls as rows, with lines that lead to callers. */
#ifndef WEIR_TREE_TREEROWS_H
#define WEIR_TREE_TREEROWS_H

#include "base/text.h"
#include "export/tree/treeline.h"
#include "trace/read/reader.h"

#include <stdbool.h>
#include <stdint.h>

struct weir_treerows_row {
	struct weir_treeline *line;
	uint64_t bars; /* levels on which more rows follow, of the first 64 */
	uint64_t hidden; /* calls below that are too deep */
	uint32_t level;
	bool is_top; /* of its process: says whose it is */
};

struct weir_treerows {
	struct weir_text *out; /* borrowed, as is the reader */
	const struct weir_reader *reader;
	bool selects; /* only lines that are wanted, those above and below */
	uint64_t depth; /* rows of fewer levels; 0: all */
	struct weir_treerows_row *rows; /* room for those of one tree */
	size_t count, room;
	int err;
};

void weir_treerows_fini(struct weir_treerows *rows);

/* The names of the columns. */
void weir_treerows_head(struct weir_text *out);

/* `context` is a struct weir_treerows: for weir_treebuffer_init(). */
void weir_treerows_show(void *context, struct weir_treeline *first);

#endif
