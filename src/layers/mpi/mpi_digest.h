/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Digests what a rank writes by MPI-IO (capture/digests/digests.h): the
 * bytes of its buffers at the places in the file that its view gives them. How
 * the MPI gets them there, and who of the ranks does it, is of no interest
 * then. Only where the place is the MPI's secret (the shared pointer) the calls
 * below are looked at instead.
 */
#ifndef WEIR_MPI_MPI_DIGEST_H
#define WEIR_MPI_MPI_DIGEST_H

#include "layers/mpi/mpi_file.h"

/* All return at once when nothing is verified. */

/* A file is open, and what is known of it; or about to be closed. */
void weir_mpi_digest_open(struct weir_mpi_file *file, const char *name);
void weir_mpi_digest_close(struct weir_mpi_file *file);

/* The rank has got another view: while the types are still the program's. */
void weir_mpi_digest_view(const struct weir_mpi_args *args);

/* Around calls with args->data; `after` when it is known how they went. */
void weir_mpi_digest_before(const struct weir_mpi_args *args);
void weir_mpi_digest_after(const struct weir_layer *on,
			   const struct weir_mpi_args *args);

/* The file is to be so long. */
void weir_mpi_digest_resize(const struct weir_mpi_args *args);

#endif
