/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of `calls`. */
#ifndef TESTS_MPI_CALLS_H
#define TESTS_MPI_CALLS_H

#include "tell.h"

#include <mpi.h>

#define BYTES 4096
#define MUST(call) must(call, #call)

extern int rank, ranks;
extern char buffer[BYTES];

/* End the run if the call failed. */
void must(int ret, const char *call);
void fill(int seed);
void told_transfer(const char *call, long size, long off, long ret);
void told_together(const char *call, long size, long off, long ret);
void told_done(long ret);

MPI_File open_file(const char *directory, const char *name, int amode);
void close_file(MPI_File *file);

/* Each makes calls of one family on a file of its own. */
void try_placed(const char *directory);
void try_own_pointer(const char *directory);
void try_shared_pointer(const char *directory);
void try_views(const char *directory);
void try_questions(const char *directory);
void try_split(const char *directory);
void try_requests(const char *directory);
void try_large(const char *directory);
void try_errors(const char *directory);

#endif
