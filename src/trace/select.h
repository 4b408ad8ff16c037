/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes and files of a trace somebody asks for. */
#ifndef WEIR_TRACE_SELECT_H
#define WEIR_TRACE_SELECT_H

#include "trace/reader.h"

#include <stdint.h>

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

#endif
