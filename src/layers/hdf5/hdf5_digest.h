/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of what is written to datasets and attributes
 * (capture/digests/digests.h). The place of an element is its number in the
 * whole, in the order of C, times its size in the file; what is summed is its
 * value there, less the filler's.
 */
#ifndef WEIR_HDF5_HDF5_DIGEST_H
#define WEIR_HDF5_HDF5_DIGEST_H

#include "layers/hdf5/hdf5_object.h"

/* One write. */
struct weir_hdf5_digest {
	struct weir_hdf5_object *object;
	long type, memory, select, list; /* as the program passed them */
	const void *data;
	bool is_later; /* it may be done when the call has returned */
};

/* An object was made or opened by this call, or was seen first. */
void weir_hdf5_digest_open(struct weir_hdf5_object *object, uint16_t call);

/* Before the call: what it overwrites of our own is taken away. */
void weir_hdf5_digest_before(const struct weir_hdf5_digest *digest);

/* After it: what it wrote is added, unless it failed. */
void weir_hdf5_digest_after(const struct weir_hdf5_digest *digest, bool failed);

/* It was written in a way that we cannot follow. */
void weir_hdf5_digest_give_up(struct weir_hdf5_object *object);

/* The shape has changed. */
void weir_hdf5_digest_extend(struct weir_hdf5_object *object);

/* The object is closed. */
/* It has a name now; its handle was another before. */
void weir_hdf5_digest_rename(const struct weir_hdf5_object *object,
			     uint32_t old);
void weir_hdf5_digest_close(struct weir_hdf5_object *object);

#endif
