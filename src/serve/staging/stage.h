/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores what was written, arranged, in the file system. */
#ifndef WEIR_STAGING_STAGE_H
#define WEIR_STAGING_STAGE_H

#include "serve/files/file.h"

int weir_stage_begin(void); /* starts the threads */
void weir_stage_end(void);  /* stops them; stores nothing more */

/*
 * By the calling thread, now: all that was acknowledged before; nothing of it
 * is in memory afterwards. 0, or -errno of the first part that could not be
 * stored; that one stays, and is in the ledger. The file is borrowed, none of
 * its locks is held.
 */
int weir_stage_file(struct weir_file *file);
/* The same by who holds `staging`. */
int weir_stage_held(struct weir_file *file);

/* All files; returns the bytes that could not be stored. */
uint64_t weir_stage_everything(void);

/*
 * Tries once more, and gives up what cannot be stored: of the files that go by
 * this name, or of all (""). Returns the entries of the ledger that were open.
 */
uint64_t weir_stage_discard(const char *path);

/* Bytes that are not stored; what is staged each second, lately. */
uint64_t weir_stage_dirty(void);
uint64_t weir_stage_rate(void);

#endif
