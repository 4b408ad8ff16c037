/* SPDX-License-Identifier: BSD-3-Clause */
/* Enters ranges of a file that could not be stored into the ledger. */
#ifndef WEIR_FILES_FILEFAILURES_H
#define WEIR_FILES_FILEFAILURES_H

#include "serve/files/file.h"

/* What is there already is not entered again. The file's lock is held. */
void weir_filefailures_add(struct weir_file *file, uint64_t offset,
			   uint64_t length, int error);

/* Stored after all, cut off, or given up; the file's lock is held. */
void weir_filefailures_settle(struct weir_file *file, uint64_t offset,
			      uint64_t length, enum weir_state_fate fate);

/* 0, or -errno of an entry that is open for this file. */
int weir_filefailures_error(const struct weir_file *file);

#endif
