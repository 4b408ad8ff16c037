/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what an MPI has made of the hints that it was given. */
#ifndef WEIR_MPI_MPI_VERDICT_H
#define WEIR_MPI_MPI_VERDICT_H

#include "adjust/adjust.h"
#include "layers/mpi/mpi.h"

#define WEIR_MPI_VALUE 256 /* bytes of a hint's value that we look at */

/* Who serves a file, and whether its word on hints is worth something. */
enum weir_mpi_server {
	WEIR_MPI_ROMIO,	       /* tells what it made of them */
	WEIR_MPI_OMPIO,	       /* repeats them, used or not */
	WEIR_MPI_HIDDEN_ROMIO, /* behind Open MPI, which repeats them */
	WEIR_MPI_SOMEBODY,
};

struct weir_mpi_verdict {
	enum weir_plan_verdict verdict;
	char effective[WEIR_MPI_VALUE + 1];
};

/* Of a file that is open. */
enum weir_mpi_server weir_mpi_verdict_server(const struct weir_mpi_args *args);

/* `info` is what MPI_File_get_info gave, `fs` what the file lies on. */
void weir_mpi_verdict_judge(enum weir_mpi_server server, long info,
			    const char *fs,
			    const struct weir_plan_setting *setting,
			    struct weir_mpi_verdict *ret_verdict);

/* One that is known without asking. */
void weir_mpi_verdict_settle(struct weir_mpi_verdict *verdict,
			     enum weir_plan_verdict what, const char *why);

/* The value of a key; false: the info has none. */
bool weir_mpi_verdict_value(long info, const char *key,
			    char value[WEIR_MPI_VALUE + 1]);

#endif
