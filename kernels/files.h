/* SPDX-License-Identifier: BSD-3-Clause */
/* Many plain files in one directory, as kernels without a library use them. */
#ifndef WEIR_KERNELS_FILES_H
#define WEIR_KERNELS_FILES_H

#include "data.h"

/* run->path is a directory: it is made, if need be. */
void kernel_files_begin(const struct kernel_run *run);

/* A file in it: opened for reading or, anew, for writing. Time: OPEN. */
int kernel_files_open(struct kernel_run *run, const char *name, bool to_write);
void kernel_files_close(struct kernel_run *run, int fd); /* CLOSE */

/* Elements from `first` on, by requests of `bytes` each; WRITE or READ. */
struct kernel_files_part {
	const struct kernel_array *array;
	uint64_t first, count;
	uint64_t request; /* bytes */
};

void kernel_files_write(struct kernel_run *run, int fd,
			const struct kernel_files_part *part);
void kernel_files_read(struct kernel_run *run, int fd,
		       const struct kernel_files_part *part);

/* Compare a whole file. */
void kernel_files_check(struct kernel_run *run, const char *name,
			const struct kernel_array *array);

#endif
