/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which MPI this process has, and the functions we call. */
#ifndef WEIR_MPI_MPI_REAL_H
#define WEIR_MPI_MPI_REAL_H

#include "layers/mpi/mpi.h"

/*
 * All of them are local: none waits for another rank. They are called by
 * their PMPI names, which nobody intercepts, and only with handles that the
 * program's own call has just shown to be good: what is wrong in our
 * call would end the program.
 */
struct weir_mpi_real {
	int (*comm_rank)(long comm, int *rank);
	int (*comm_size)(long comm, int *size);
	int (*query_thread)(int *level);
	int (*library_version)(char *text, int *len);
	int (*error_class)(int code, int *class);
	int (*type_size)(long type, long *size);
	int (*type_extent)(long type, long *lb, long *extent);
	int (*type_true_extent)(long type, long *lb, long *extent);
	int (*type_envelope)(long type, int *ints, int *addresses, int *types,
			     int *combiner);
	int (*type_contents)(long type, int ints, int addresses, int types,
			     int *values, long *bytes, void *handles);
	int (*type_free)(void *type);
	int (*pack)(const void *from, int count, long type, void *to, int room,
		    int *used, long comm);
	int (*get_elements)(const void *status, long type, long *count);
	int (*get_info)(long fh, long *info);
	int (*get_position)(long fh, long *position);
	int (*get_errhandler)(long fh, long *handler);
	int (*errhandler_free)(long *handler);
	int (*info_nkeys)(long info, int *n);
	int (*info_nthkey)(long info, int n, char *key);
	int (*info_get)(long info, const char *key, int room, char *value,
			int *found);
	int (*info_free)(long *info);
	int (*info_create)(long *info);
	int (*info_dup)(long info, long *copy);
	int (*info_set)(long info, const char *key, const char *value);
};

/* Constants of the two families of MPIs. */
struct weir_mpi_flavour {
	bool narrow;   /* handles are ints */
	int other;     /* MPI_ERR_OTHER */
	int first_way; /* MPI_COMBINER_NAMED */
	int by_column; /* MPI_ORDER_FORTRAN */
	/* MPI_DISTRIBUTE_NONE, _CYCLIC, _DFLT_DARG */
	int undivided, in_turns, usual_block;
	unsigned key, value; /* how long they may be in an info */
	int nobody;	     /* MPI_PROC_NULL */
	long world, self, comm_null, byte, info_null, request_null, file_null;
	long errors_return;
	void *no_status;
};

extern struct weir_mpi_real weir_mpi_real;
extern struct weir_mpi_flavour weir_mpi_flavour;

/* Find them, as the code at `from` would. False: some are not there. */
bool weir_mpi_meet(const void *from);

/* A handle to look at. */
static inline long weir_mpi_cut(long handle)
{
	return weir_mpi_flavour.narrow ? (int)handle : handle;
}

/* The n-th of an array of handles. */
static inline long weir_mpi_handle_at(const void *handles, int n)
{
	return weir_mpi_flavour.narrow ? ((const int *)handles)[n]
				       : ((const long *)handles)[n];
}

/* How many bytes an operation moved. */
long weir_mpi_moved(const void *status);

/* Tell a failure by its class. */
void weir_mpi_fault(struct weir_layer *on);

/* After that: how many bytes the call asks for. 0 if it was refused: nobody
 * says then that its arguments are good to ask with. */
uint64_t weir_mpi_asked(const struct weir_layer *on,
			const struct weir_mpi_args *args);

#endif
