/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses filters that nothing in a trace matches. */
#ifndef WEIR_CMDS_UNMATCHED_H
#define WEIR_CMDS_UNMATCHED_H

#include "trace/read/reader.h"

/*
 * 0; or what to exit with, after telling that no process, or no file, of the
 * trace matches, and which there are. NULL matches all.
 */
int weir_unmatched_tell(const struct weir_reader *reader, const char *trace,
			const char *process, const char *file);

#endif
