/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows operations in event sets until they are seen to end. */
#ifndef WEIR_HDF5_HDF5_PENDING_H
#define WEIR_HDF5_HDF5_PENDING_H

#include "layers/hdf5/hdf5_library.h"

/* Where operations stand, from 1; 0: there is none. */
struct weir_hdf5_op {
	uint64_t id, bytes;
	uint32_t handle; /* of what it is on */
	uint32_t next;	 /* of its chain */
};

/* A set is made; what had its id before is forgotten. */
void weir_hdf5_pending_begin(struct weir_hdf5_library *lib, long es);

/* Whether the id is that of a set for sure. */
bool weir_hdf5_pending_knows(struct weir_hdf5_library *lib, long es);

/*
 * An operation is in the set: its id, which no other has in this process. If
 * there is no room it is never seen to end.
 */
uint64_t weir_hdf5_pending_add(struct weir_hdf5_library *lib, long es,
			       uint32_t handle, uint64_t bytes);

/* The latest id: who had it was in its set by now. */
uint64_t weir_hdf5_pending_latest(void);

/* Whether one in the set was not seen to end. */
bool weir_hdf5_pending_has(struct weir_hdf5_library *lib, long es);

/* The same of all sets: to ask about an object may be to wait for it. */
bool weir_hdf5_pending_any(void);

/* Of some that are still there it is not known how they ended; or is again. */
void weir_hdf5_pending_doubt(struct weir_hdf5_library *lib, long es,
			     bool doubt);
bool weir_hdf5_pending_is_doubtful(struct weir_hdf5_library *lib, long es);

/*
 * Take out of the set what was there by then (see _latest), in order: returns
 * the first of the chain. Each is the caller's until it is dropped, which
 * returns the next.
 */
uint32_t weir_hdf5_pending_take(struct weir_hdf5_library *lib, long es,
				uint64_t until);
const struct weir_hdf5_op *weir_hdf5_pending_get(uint32_t at);
uint32_t weir_hdf5_pending_drop(uint32_t at);

/* The set is closed; what it has is never seen to end. */
void weir_hdf5_pending_end(struct weir_hdf5_library *lib, long es);

/* H5close: so are all of the library. */
void weir_hdf5_pending_forget(struct weir_hdf5_library *lib);

#endif
