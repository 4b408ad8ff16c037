/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small program for the sweep over all parameters of plans: it writes files
 * by each library in the ways that parameters act on, leaves gaps that nobody
 * writes, reads all back and says what is wrong. `plain` writes the same
 * without anything that a library could do otherwise: one piece a call, each
 * rank for itself.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include <stdbool.h>
#include <stddef.h>

struct sweep {
	const char *dir;
	bool plain;
	int rank, ranks;
	unsigned wrong;
};

void sweep_stdio(struct sweep *sweep);
void sweep_mpi(struct sweep *sweep);
void sweep_hdf5(struct sweep *sweep);
void sweep_pnetcdf(struct sweep *sweep);

/* Counts and tells what does not hold. */
void sweep_hold(struct sweep *sweep, bool holds, const char *what);

/* DIR/NAME. */
const char *sweep_path(const struct sweep *sweep, const char *name,
		       char room[4096]);

/* What element `at` is to be, if rank `by` writes it. */
double sweep_value(int by, size_t at);

#endif
