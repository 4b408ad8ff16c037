/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes, improves, brings back and unmakes a file that is served. The table of
 * them, and whoever counts, is files.c. */
#ifndef WEIR_FILES_FILEMAKE_H
#define WEIR_FILES_FILEMAKE_H

#include "serve/files/file.h"

/* Once, before any is made: what indexes call (weir_files_begin). */
void weir_filemake_begin(weir_index_gone gone);

/* The place is taken on the board. 0: the descriptor is the file's. */
int weir_filemake_new(uint32_t place, uint32_t turn,
		      const struct weir_file_new *new,
		      struct weir_file **ret_file);

/*
 * One more open: its descriptor replaces the file's if it can do more, and is
 * closed if not. Who writes, but leads to no descriptor that can do all, makes
 * the file one that is bypassed.
 */
void weir_filemake_improve(struct weir_file *file,
			   const struct weir_file_new *new);

/* What an earlier daemon left; NULL: it cannot be had any more. */
struct weir_file *weir_filemake_back(uint32_t place);

/* It is off the table; its place is to stay reserved until this is over. */
void weir_filemake_unmake(struct weir_file *file);

#endif
