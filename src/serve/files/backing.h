/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls the plug-in that stores a file, as weir/backend.h says. The calls are
 * in the trace where that has what needs them.
 */
#ifndef WEIR_FILES_BACKING_H
#define WEIR_FILES_BACKING_H

#include "serve/files/backends.h"
#include "serve/files/file.h"

int64_t weir_backing_write(struct weir_file *file, const struct iovec *parts,
			   int count, uint64_t offset);
int64_t weir_backing_read(struct weir_file *file, void *bytes, uint64_t length,
			  uint64_t offset);
int weir_backing_sync(struct weir_file *file);
int weir_backing_truncate(struct weir_file *file, uint64_t length);
int weir_backing_extent(struct weir_file *file,
			struct weir_backend_extent *ret_extent);

#endif
