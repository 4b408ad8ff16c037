/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Zeroes what a short read leaves of its buffer. MPI-IO writes pieces with gaps
 * between them by reading a whole range, changing the pieces and writing the
 * range. Beyond the end of the file nothing is read, and what lay in memory is
 * written into the gaps. Hints decide which ranges these are, so a plan would
 * change bytes that nobody wrote: with a plan the rest of the buffer is zero,
 * as a gap is that is not written.
 */
#ifndef WEIR_ADJUST_REST_H
#define WEIR_ADJUST_REST_H

#include "gate/gate.h"

#include <stdbool.h>

/* There is a plan. */
extern bool weir_rest_is_on;

/* After weir_adjust_begin(). */
void weir_rest_begin(void);

/* After a read of `len` bytes that returned `got`. */
void weir_rest_fill(void *buffer, unsigned long len, long got);
void weir_rest_fill_vector(const void *vector, int count, long got);

#endif
