/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows the open MPI files, and where each is used. */
#ifndef WEIR_MPI_MPI_FILE_H
#define WEIR_MPI_MPI_FILE_H

#include "layers/mpi/mpi.h"

struct weir_mpi_file {
	uint32_t handle;
	uint64_t coll;
	int rank, ranks;      /* of those that have it open together */
	_Atomic uint64_t seq; /* collective calls so far */
	uint64_t split;	      /* id of the split call that is open */
	uint64_t asked;	      /* weir_mpi_info_key() of the hints, so far */
	/* Who uses the rank's own pointer: how many, and which use it is. */
	_Atomic uint32_t inside, turns;
	/* The view. Only where it is a plain row of bytes is an offset one. */
	bool plain;
	long disp, etype;
	struct weir_mpi_digest *digest; /* NULL: nothing is verified */
};

/* NULL: we have not seen it opened. */
struct weir_mpi_file *weir_mpi_file_find(long fh);
/* NULL: there is no room. */
struct weir_mpi_file *weir_mpi_file_add(long fh);
void weir_mpi_file_remove(long fh);

/*
 * Begin a call on args->fh, with what is known of the file. False: it is
 * passed on.
 */
bool weir_mpi_file_begin(struct weir_layer *on, struct weir_mpi_args *args);

/* Where the call goes, by its offset or by the rank's own pointer. */
void weir_mpi_file_locate(struct weir_mpi_args *args);

/* The call is over: tell where it went if that is certain. */
void weir_mpi_file_place(struct weir_layer *on, struct weir_mpi_args *args);

/* A name as the file system has it: what says which driver of ROMIO is to be
 * used is left out. */
const char *weir_mpi_without_driver(const char *name);

#endif
