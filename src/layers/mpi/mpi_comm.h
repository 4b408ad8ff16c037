/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows communicators by numbers that are the same in all their ranks. */
#ifndef WEIR_MPI_MPI_COMM_H
#define WEIR_MPI_MPI_COMM_H

#include <stdatomic.h>
#include <stdint.h>

/*
 * Ranks make collective calls on a communicator in one order, so that those
 * that make others of it, and those that open files, are numbered alike.
 */
struct weir_mpi_comm {
	uint64_t key;
	int rank, size;
	_Atomic uint32_t calls, parts, opens;
};

/*
 * NULL: nobody knows who is in it. It was made by a call that we do not
 * follow, between jobs perhaps, or there are too many.
 */
struct weir_mpi_comm *weir_mpi_comm_find(long handle);

/*
 * A call on `from`, which may be NULL, has made a communicator: of all the
 * same ranks, or of some that it is asked for. `next` is a function of MPI.
 */
void weir_mpi_comm_make(struct weir_mpi_comm *from, long made, int is_same,
			const void *next);

/*
 * Likewise, by a call that only those make who are in the new one, with a tag
 * that no other such call has meanwhile.
 */
void weir_mpi_comm_gather(struct weir_mpi_comm *from, int tag, long made,
			  const void *next);

/* Its handle may be given again. */
void weir_mpi_comm_forget(long handle);

/*
 * For collkey.h, in whatever object: what the ranks of a communicator are
 * about to open, and no others. 0: nobody knows who is in it.
 */
__attribute__((visibility("default"))) uint64_t
weir_mpi_comm_open(long handle, const void *next);

#endif
