/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the files of a trace, whatever state they were left in. */
#ifndef WEIR_READ_READSET_H
#define WEIR_READ_READSET_H

#include "trace/read/readnode.h"

#include <stdint.h>

/* Zero it to begin. */
struct weir_readset {
	struct weir_readnode **nodes;
	uint32_t count, room;
	uint32_t unended; /* packed files without an end */
	uint32_t refused; /* files that are no traces */
	struct weir_unrecorded marks; /* of processes before any file */
	struct weir_readshelf shelf;
	int has_aside, aside; /* the descriptor of what had to be packed */
	uint32_t files_kept, files_most; /* open */
};

/* Takes a directory or a file; see weir_reader_open() for the errors. */
int weir_readset_open(struct weir_readset *set, const char *path);
void weir_readset_close(struct weir_readset *set);

#endif
