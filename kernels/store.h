/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file of named arrays, by one of three libraries. Which one is decided when
 * the program is linked: store_h5.c, store_nc.c or store_raw.c.
 */
#ifndef WEIR_KERNELS_STORE_H
#define WEIR_KERNELS_STORE_H

#include "data.h"

#define KERNEL_STORE_ARRAYS 64

struct kernel_store;

/* How data are handed over. */
enum kernel_store_mode {
	KERNEL_STORE_COLLECTIVE,
	KERNEL_STORE_INDEPENDENT,
	KERNEL_STORE_POSTED, /* all, then waited for together */
};

/* NULL, or why the library has no such mode. */
const char *kernel_store_refuse(enum kernel_store_mode mode);

/* Create the file; all arrays are told before the first is written. */
struct kernel_store *kernel_store_create(struct kernel_run *run,
					 const char *path,
					 enum kernel_store_mode mode);
void kernel_store_tell(struct kernel_store *store,
		       const struct kernel_array *array,
		       const struct kernel_block *block);
void kernel_store_note(struct kernel_store *store, const char *name,
		       const char *text);

/* Write the i-th array; `data` must stay until the file is closed. */
void kernel_store_write(struct kernel_store *store, int i, const void *data);
void kernel_store_close(struct kernel_store *store);

/* Compare the arrays of a file, told in the same order. */
struct kernel_store_told {
	int count;
	struct kernel_array arrays[KERNEL_STORE_ARRAYS];
	struct kernel_block blocks[KERNEL_STORE_ARRAYS];
};

void kernel_store_check(struct kernel_run *run, const char *path,
			const struct kernel_store_told *told);

#endif
