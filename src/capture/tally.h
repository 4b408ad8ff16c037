/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the calls of a thread on each file. */
#ifndef WEIR_CAPTURE_TALLY_H
#define WEIR_CAPTURE_TALLY_H

struct weir_brief;

/* Add a call to the sums of its file; its thread is BUSY. */
void weir_tally_add(const struct weir_brief *brief);

#endif
