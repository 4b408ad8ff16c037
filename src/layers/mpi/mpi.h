/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI-IO. One object serves every MPI: a handle is an int or a pointer, and
 * both pass through a word of the calling convention untouched. Only who looks
 * at a handle has to know which it is (weir_mpi_cut).
 */
#ifndef WEIR_MPI_MPI_H
#define WEIR_MPI_MPI_H

#include "capture/layer.h"
#include "layers/book.h"
#include "layers/storage.h"

#define WEIR_MPI_STATUSES 64 /* of our own, where the program wants none */

/* As large as any MPI's, and a little more. */
struct weir_mpi_status {
	uint64_t words[4];
};

/* What a wrapper knows of its call; the kinds' `fills` are its members. */
struct weir_mpi_args {
	uint16_t call;
	bool collective; /* all ranks of the file make it */
	bool shared;	 /* by the pointer that all ranks share */
	bool placed;	 /* it says where */
	bool split;	 /* it has a second half */
	bool all, some;	 /* completion: an array of statuses, of indices */
	bool blind;	 /* nobody will learn how it ended */
	bool brief;	 /* there is nothing to tell in the detail */
	bool has_at, has_runs, has_assumed;
	bool adjusted; /* settings of a plan are for it (mpi_adjust.c) */
	const void *from, *frame, *caller;
	long comm, info, fh, type, etype, filetype;
	long *opened;
	const void *data; /* of calls that write */
	const char *name, *path, *rep, *asked, *hints;
	long own_info; /* of an adjusted call: what the program gave */
	const char *own_path;
	int amode, flags, number;
	long off, at, count, extent;
	uint64_t runs, assumed;
	void *status, *request;
	int *index, *indices, *done;
	uint64_t coll, seq, id;
	struct weir_mpi_file *file; /* NULL: we have not seen it opened */
	uint32_t turn;		/* which use of the rank's own pointer it is */
	uint32_t first;		/* of the requests that it may complete */
	struct weir_storage on; /* what the file lies on */
	struct weir_mpi_status own;
};

#define WEIR_MPI_ROLE(role)                                                    \
	bool weir_mpi_##role##_before(struct weir_layer *on,                   \
				      struct weir_mpi_args *args);             \
	void weir_mpi_##role##_after(struct weir_layer *on,                    \
				     struct weir_mpi_args *args)

WEIR_MPI_ROLE(init);
WEIR_MPI_ROLE(finalize);
WEIR_MPI_ROLE(abort);
WEIR_MPI_ROLE(open);
WEIR_MPI_ROLE(close);
WEIR_MPI_ROLE(name); /* of a file that is not open */
WEIR_MPI_ROLE(ask);  /* nothing that we follow changes */
WEIR_MPI_ROLE(set);  /* how large the file is */
WEIR_MPI_ROLE(hint);
WEIR_MPI_ROLE(view);
WEIR_MPI_ROLE(seek);
WEIR_MPI_ROLE(read);
WEIR_MPI_ROLE(write);
WEIR_MPI_ROLE(submit);
WEIR_MPI_ROLE(done); /* the second half of a split call */
WEIR_MPI_ROLE(wait);

/* Where settings of a plan are applied. */
#define WEIR_MPI_STATION(name)                                                 \
	void weir_mpi_adjust_##name##_before(struct weir_mpi_args *args);      \
	bool weir_mpi_adjust_##name##_again(struct weir_mpi_args *args);       \
	void weir_mpi_adjust_##name##_after(                                   \
		struct weir_layer *on, struct weir_mpi_args *args, long ret)

WEIR_MPI_STATION(open);
WEIR_MPI_STATION(info); /* hints are given to an open file */
WEIR_MPI_STATION(close);

/* A call that leaves no record: what it tells to whom (mpi_messages.c). */
struct weir_mpi_change {
	const void *from, *caller;
	long comm;
	int dest, source, tag, tag2;
	const void *made; /* where a new communicator's handle is */
	bool same;	  /* which has the same ranks */
};

void weir_mpi_sends(const struct weir_mpi_change *change);
void weir_mpi_receives(const struct weir_mpi_change *change);
void weir_mpi_exchanges(const struct weir_mpi_change *change);
void weir_mpi_probes(const struct weir_mpi_change *change);
void weir_mpi_hides(const struct weir_mpi_change *change);
void weir_mpi_gathers(const struct weir_mpi_change *change);
void weir_mpi_parts(const struct weir_mpi_change *change);
void weir_mpi_groups(const struct weir_mpi_change *change);
void weir_mpi_mixes(const struct weir_mpi_change *change);
void weir_mpi_frees(const struct weir_mpi_change *change);

/* All ranks of a file make this call. */
void weir_mpi_messages_together(const struct weir_mpi_args *args);

/* What a call returns that has no function after ours. */
int weir_mpi_missing(void);

#endif
