/* SPDX-License-Identifier: BSD-3-Clause */
/* Appends blocks to a .weir file that is always a row of whole blocks. */
#ifndef WEIR_FILE_STORE_H
#define WEIR_FILE_STORE_H

#include "trace/layout/trace_layout.h"

#include <stdint.h>

struct weir_store;

/* Makes a new file, mode 0600; -EEXIST when there is one. */
int weir_store_create(const char *path, struct weir_store **ret_store);

/*
 * Goes on at the end of an open, writable file and owns fd from then on, also
 * when it fails. What stands behind the last multiple of 8 bytes is cut off.
 */
int weir_store_adopt(int fd, struct weir_store **ret_store);

/*
 * Appends one block. The caller fills type, stored (the payload's bytes), raw,
 * proc, thread, count, first, last and flags; magic and checks are filled in
 * here. Returns 0 or -errno; then the file is as it was before the call and
 * the next append may be tried.
 */
int weir_store_append(struct weir_store *store, struct weir_block *head,
		      const void *payload);

/* Bytes of whole blocks in the file. */
uint64_t weir_store_bytes(const struct weir_store *store);

/* Borrowed: fine for pread, fsync and rename checks; never written to. */
int weir_store_fd(const struct weir_store *store);

void weir_store_close(struct weir_store *store);

#endif
