/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of files that are served: opens, borrows and forgets them. */
#ifndef WEIR_FILES_FILES_H
#define WEIR_FILES_FILES_H

#include "serve/files/file.h"

/*
 * Also brings back what state.h tells. `gone` is for the indexes of all files:
 * a write has left one, whose file is locked.
 */
int weir_files_begin(weir_index_gone gone);

/*
 * Sessions have opened their files again, and their records are taken in. What
 * nobody uses any more is let go of.
 */
void weir_files_settle(void);
void weir_files_end(void);

/* Finds or makes it; one more user, and writer if it writes. */
int weir_files_open(const struct weir_file_new *new,
		    struct weir_file **ret_file);

/* At a restart: an open that there was; NULL: its file is gone. */
struct weir_file *weir_files_reopen(uint32_t place, uint32_t turn, bool writes);

/* NULL: there is none at this place, or it is another one by now. */
struct weir_file *weir_files_borrow(uint32_t place, uint32_t turn);

/* The file that an open is of; NULL: none, or not yet. */
struct weir_file *weir_files_borrow_open(const struct weir_state_open *kept);
void weir_files_put(struct weir_file *file);

/* An open is closed; the file is forgotten when nothing is left to do. */
void weir_files_close(struct weir_file *file, bool wrote);

/*
 * For who takes in what was written: the file is locked, if it is there, but
 * not borrowed. Its records keep it.
 */
struct weir_file *weir_files_lock(uint32_t place, uint32_t turn);

/* The file system is to keep what was stored; 0, or -errno for good. */
int weir_files_sync(struct weir_file *file);

/* How many of its writes are in the index, seen or not. */
uint64_t weir_files_records(struct weir_file *file);

/* Each file in turn; it is borrowed while `look` runs. */
void weir_files_each(void (*look)(struct weir_file *file, void *arg),
		     void *arg);

#endif
