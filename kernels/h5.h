/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 as kernels use it: one shared file, arrays of up to four dimensions. */
#ifndef WEIR_KERNELS_H5_H
#define WEIR_KERNELS_H5_H

#include "data.h"

#include <hdf5.h>

/* How a file is written. */
struct kernel_h5_manner {
	bool collective;
	uint64_t alignment; /* of objects in the file; 0: none */
	uint64_t threshold; /* objects from this size on are aligned */
	hsize_t chunk[KERNEL_DIMS]; /* the first 0: contiguous */
};

struct kernel_h5 {
	struct kernel_run *run;
	hid_t file;
	hid_t transfer;
	const struct kernel_h5_manner *manner;
};

/* All ranks together. Time is spent on OPEN. */
void kernel_h5_create(struct kernel_h5 *h5, struct kernel_run *run,
		      const struct kernel_h5_manner *manner);
void kernel_h5_open(struct kernel_h5 *h5, struct kernel_run *run,
		    const struct kernel_h5_manner *manner);
void kernel_h5_close(struct kernel_h5 *h5);

/* Fails the run when an HDF5 call has failed. */
hid_t kernel_h5_sure(const struct kernel_run *run, hid_t result,
		     const char *what);

/* Create a dataset in `group`, write this rank's block, close it. */
void kernel_h5_write(struct kernel_h5 *h5, hid_t group,
		     const struct kernel_array *array,
		     const struct kernel_block *block, const void *data);

/*
 * Compare a whole dataset with what it should be, without MPI: a contiguous
 * one by plain system calls, a chunked one by HDF5's own reading.
 */
void kernel_h5_check(struct kernel_run *run, const struct kernel_array *array,
		     const char *name);

#endif
