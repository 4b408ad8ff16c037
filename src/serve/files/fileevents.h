/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of files into the trace: named, opened, materialised. */
#ifndef WEIR_FILES_FILEEVENTS_H
#define WEIR_FILES_FILEEVENTS_H

#include "serve/files/file.h"

/* A file gets a handle in the trace. Nobody has it yet, or its lock is held. */
void weir_fileevents_name(struct weir_file *file);
/* The same, and those who have it know; its lock is not held. */
void weir_fileevents_introduce(struct weir_file *file);

/* A file is opened for a call with this number; the descriptor is ours. */
bool weir_fileevents_enter_open(void);
void weir_fileevents_leave_open(struct weir_file *file, uint64_t cid, int err);

/* A deferred file is materialised, for a call with this number. */
struct weir_fileevents_creation {
	struct weir_file *file;
	uint64_t cid;
	bool is_told;
};
void weir_fileevents_enter_creation(struct weir_fileevents_creation *creation);
void weir_fileevents_leave_creation(struct weir_fileevents_creation *creation,
				    uint64_t bytes, int err);

#endif
