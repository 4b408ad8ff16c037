/* SPDX-License-Identifier: BSD-3-Clause */
/* Selects the processes and files of a trace that somebody asks for. */
#ifndef WEIR_READ_SELECT_H
#define WEIR_READ_SELECT_H

#include "trace/read/reader.h"

#include <stdint.h>

/* Whether it is one that the word is for, as the next function has it. */
int weir_select_wants(const struct weir_procinfo *process, const char *word);

/*
 * Leaves processes with this number, or whose program's name contains it, or
 * rank:N.
 */
void weir_select_process(struct weir_reader *reader, const char *word);

/*
 * Tells of each name, by its number, whether it matches; [0] does not. Done
 * once for each name, not for each event. 0 or -ENOMEM; to be freed.
 */
int weir_select_files(const struct weir_reader *reader, const char *glob,
		      uint8_t **ret_matches);

/*
 * Tells of each name whether it may be the file that somebody calls `path`:
 * the one of that name, if there is one; else those that end with its
 * components, or match it as a pattern. How many are, or -ENOMEM; to be
 * freed.
 */
int64_t weir_select_path(const struct weir_reader *reader, const char *path,
			 uint8_t **ret_matches);

#endif
