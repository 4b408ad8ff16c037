/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches the room in file systems: what is acknowledged must fit there. Files
 * where that is not sure are told to be tight, and are written through: the
 * program is told at once then.
 */
#ifndef WEIR_LOG_FREESPACE_H
#define WEIR_LOG_FREESPACE_H

#include "serve/files/file.h"

/* Before chunks are granted, and after writing through; asks now and then. */
void weir_freespace_look(void);

/* A file that was opened to be written. */
void weir_freespace_meet(const struct weir_file *file);

/* Chunks that a session may have in advance, at most. */
uint32_t weir_freespace_window(void);

#endif
