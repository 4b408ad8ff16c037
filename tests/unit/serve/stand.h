/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stand-in of the daemon around staging: some files in memory, whose writes
 * are put in by the test, and a backend that fails as it is told.
 */
#ifndef STAND_H
#define STAND_H

#include "serve/files/file.h"
#include "serve/state/setup.h"

#include <stdatomic.h>

#define STAND_FILES 3u
#define STAND_SIZE  (1u << 20) /* of a file, at most */

struct stand_file {
	struct weir_file file;
	unsigned char bytes[STAND_SIZE]; /* that are stored */
	_Atomic uint64_t stores; /* calls of write() */
	int fd; /* behind it; -1: none */
	/* writes to bytes from here up to there fail with this */
	_Atomic uint64_t bad_from, bad_end;
	_Atomic int bad_error;
	_Atomic bool is_moody; /* short writes, EINTR, EAGAIN */
	_Atomic bool is_slow;
	_Atomic uint32_t at_once, most_at_once; /* calls of write() */
};

extern struct stand_file stand_files[STAND_FILES];
extern struct weir_setup stand_setup;
extern _Atomic uint64_t stand_gone;	 /* writes that were freed */
extern _Atomic uint64_t stand_looks;	 /* at all files, by anybody */
extern _Atomic uint64_t stand_waiting; /* what weir_chunkpool_waiting() says */

int stand_begin(void **state); /* of cmocka */
int stand_end(void **state);

/* A write of these bytes, now; it is freed when it is gone. */
void stand_write(uint32_t file, uint64_t offset, const void *bytes,
		 uint32_t length);

/* Bytes of one file that are not stored. */
uint64_t stand_dirty(uint32_t file);

#endif
