/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows clients on the board what is to be done with a file. */
#ifndef WEIR_FILES_FILEFLAGS_H
#define WEIR_FILES_FILEFLAGS_H

#include "serve/files/file.h"

/*
 * Sets and clears WEIR_FILE_* on the board, by writers, bypass, records, error
 * and is_tight. The file's lock is held.
 */
void weir_fileflags_show(struct weir_file *file);

/* The kernel has it from now on, counted once; the lock is held. */
void weir_fileflags_bypass(struct weir_file *file);

/*
 * What sessions had open or written when the daemon before this one died is
 * known again. Until then each file that was there may have been written.
 */
void weir_fileflags_settle(void);

#endif
