/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints each call of the application with all that it caused. */
#ifndef WEIR_TREE_AS_TREE_H
#define WEIR_TREE_AS_TREE_H

#include "export/dump/dump.h"

struct weir_as_tree_wish {
	struct weir_reader *first; /* of the same trace, to be read before */
	struct weir_tree_id of; /* no process: all events */
	uint64_t depth; /* levels to be shown; 0: all */
	uint64_t memory; /* bytes of rows to wait for others; 0: 64 MiB */
};

/* What the reader of the trees should know. */
struct weir_as_tree_told {
	bool found; /* what was asked for by `of` */
	uint64_t parted; /* trees that are shown in parts, for want of memory */
	uint64_t unjoined; /* calls, likewise not joined with others' */
	uint64_t caused;   /* done for calls of other processes, in all */
	uint64_t nobodys;  /* that say that they are done for none */
	uint64_t uncaused; /* shown, and done for what is not in the trace */
};

/*
 * All events are read twice, so two readers are needed: who takes part in
 * collective calls is gathered with the first. filter->relations must have been
 * made with weir_treeline_end_frame(). 0 or -errno.
 */
int weir_as_tree_write(struct weir_reader *reader,
		       const struct weir_dump_filter *filter,
		       const struct weir_as_tree_wish *wish, int fd,
		       struct weir_as_tree_told *ret_told);

#endif
