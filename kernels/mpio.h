/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-IO as kernels use it: one shared file. */
#ifndef WEIR_KERNELS_MPIO_H
#define WEIR_KERNELS_MPIO_H

#include "kernel.h"

#include <mpi.h>

/* Fails the run when an MPI call has failed. */
void kernel_mpio_sure(const struct kernel_run *run, int result,
		      const char *what);

/* Replace the file at `path`, all ranks together; time is spent on OPEN. */
MPI_File kernel_mpio_create(struct kernel_run *run, const char *path);

/* And on CLOSE. */
void kernel_mpio_close(struct kernel_run *run, MPI_File *file);

#endif
