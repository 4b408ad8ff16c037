/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds where files end, with what is not stored yet, and gives ends to
 * appends.
 */
#ifndef WEIR_FILES_FILEENDS_H
#define WEIR_FILES_FILEENDS_H

#include "serve/files/file.h"

/* 0 or -errno. The file is borrowed. */
int weir_fileends_ask(struct weir_file *file, uint64_t *ret_end);

/*
 * So many bytes at the end are the caller's. `promise` outlives this daemon:
 * one more than the place, once that is given; who asks again is given the
 * same one (`is_again`). -EBUSY: the file is bypassed.
 */
struct weir_fileends_claim {
	uint64_t total;
	_Atomic uint64_t *promise;
	bool is_again;
};
int weir_fileends_give(struct weir_file *file,
		       const struct weir_fileends_claim *claim,
		       uint64_t *ret_offset);

/* It is there, or will never be. To be called after each that was given. */
void weir_fileends_done(struct weir_file *file);

/* Until all are there; for who has seen to it that no more are given. */
void weir_fileends_wait(struct weir_file *file);

/* It was not used from `offset` on. */
void weir_fileends_return(struct weir_file *file, uint64_t offset,
			  uint64_t total);

#endif
