/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the hints of a file as text. */
#ifndef WEIR_MPI_MPI_INFO_H
#define WEIR_MPI_MPI_INFO_H

#include "layers/mpi/mpi.h"

/*
 * What the program asked for in a call that has succeeded, and what the MPI
 * has made of it: KEY=VALUE;..., each good until the thread asks for the same
 * again. What has no room is told as a last "...".
 */
const char *weir_mpi_info_asked(const struct weir_mpi_args *args);
const char *weir_mpi_info_made(long fh);

/* Tells one list of hints from another; 0: none. */
uint64_t weir_mpi_info_key(const char *text);

#endif
