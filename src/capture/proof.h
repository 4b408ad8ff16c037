/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What this process wrote, as sums (base/digest.h) by handle and by file,
 * told as events `proof` (trace/proof_layout.h). Only with `weir run --verify`;
 * without it nothing here is called but weir_proof_is_on().
 *
 * A handle is told when it is closed, when its place is needed, and at the end
 * of the process. A forked child begins with nothing.
 */
#ifndef WEIR_CAPTURE_PROOF_H
#define WEIR_CAPTURE_PROOF_H

#include "base/digest.h"
#include "gate/gate.h"
#include "trace/proof_layout.h"

#include <stddef.h>

/* All keep errno, may be called by any thread, and take any handle. */

WEIR_GATE_DOOR bool weir_proof_is_on(void);

/*
 * Whether this thread is below a call of HDF5, which knows better what is
 * written. A call of MPI-IO may let those below it through, if it does not.
 */
WEIR_GATE_DOOR bool weir_proof_is_covered(void);
WEIR_GATE_DOOR void weir_proof_let_through(bool let);

/* The same for libc's calls: also below MPI-IO, but for what it lets. */
bool weir_proof_is_below_layers(void);
bool weir_proof_is_let_through(void);

/*
 * A handle is of the object `key`: handles of one key share what is known to
 * be written. `is_empty`: all that was known of it is gone.
 */
WEIR_GATE_DOOR void weir_proof_know(uint32_t handle, uint64_t key,
				    bool is_empty);
WEIR_GATE_DOOR bool weir_proof_knows(uint32_t handle);
/* A handle of this key that is not told yet; 0: there is none. */
uint32_t weir_proof_holder(uint64_t key);
WEIR_GATE_DOOR uint64_t weir_proof_key(uint64_t device, uint64_t inode);

/* Bytes were given to be written at `position`. */
WEIR_GATE_DOOR void weir_proof_add(uint32_t handle, uint64_t position,
				   const void *bytes, size_t size);

/*
 * What of a range this process has written before: the first part of it.
 * False: nothing. Take it away, as it was, before it is overwritten.
 */
WEIR_GATE_DOOR bool weir_proof_find(uint32_t handle, uint64_t position,
				    uint64_t size, uint64_t *ret_position,
				    uint64_t *ret_size);
WEIR_GATE_DOOR void weir_proof_take(uint32_t handle, uint64_t position,
				    const void *bytes, size_t size);

/*
 * What this process wrote of a range is read from the file and taken away; or
 * given back, if it was not overwritten after all. If that cannot be done, it
 * is doubted.
 */
WEIR_GATE_DOOR void weir_proof_old_take(uint32_t handle, int fd, uint64_t from,
					uint64_t to, bool is_back);

/* The file was cut: nothing of what was written lies beyond. */
WEIR_GATE_DOOR void weir_proof_cut(uint32_t handle, uint64_t length);

/* A sum made elsewhere, and where the object ends at least: no extents. */
WEIR_GATE_DOOR void weir_proof_mix(uint32_t handle,
				   const struct weir_digest *sum, int sign,
				   uint64_t bytes, uint64_t end);

/* Bits of enum weir_proof_doubt: there is one, or none of those. */
WEIR_GATE_DOOR void weir_proof_doubt(uint32_t handle, uint32_t doubts);
WEIR_GATE_DOOR void weir_proof_trust(uint32_t handle, uint32_t doubts);

/* The handle is closed; what is known of its key stays. */
WEIR_GATE_DOOR void weir_proof_tell(uint32_t handle);

/* The process ends: tell all. */
void weir_proof_end(void);

#endif
