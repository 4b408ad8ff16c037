/* SPDX-License-Identifier: BSD-3-Clause */
/* The hints of a file as text. */
#ifndef WEIR_LAYERS_MPI_INFO_H
#define WEIR_LAYERS_MPI_INFO_H

/* What the MPI has made of them, KEY=VALUE;...: good until the thread asks
 * again. */
const char *weir_mpi_info_of(long fh);

#endif
