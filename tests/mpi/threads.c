/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of a rank use one file at once: threads FILE EXPECTED. Calls by
 * offsets are certain; of the rank's own pointer only who is alone knows where
 * it is, so that what is recorded must be right or unknown.
 */
#include "tell.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 4
#define ROUNDS	50
#define BYTES	64

static MPI_File file;
static int rank;

static void *use_offsets(void *which)
{
	long base = rank * 1000000 + (long)which * 100000;
	char bytes[BYTES] = { 0 };

	for (int i = 0; i < ROUNDS; i++) {
		MPI_Request request;

		MPI_File_write_at(file, base + i * 100, bytes, BYTES, MPI_BYTE,
				  MPI_STATUS_IGNORE);
		tell((struct told){ "MPI_File_write_at", BYTES, base + i * 100,
				    BYTES, 0, 0 });
		MPI_File_iread_at(file, base, bytes, BYTES, MPI_BYTE,
				  &request);
		tell((struct told){ "MPI_File_iread_at", BYTES, base, 0, 0,
				    0 });
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		tell((struct told){ "MPI_File_done", 0, NOWHERE, BYTES, 0,
				    1 });
		MPI_File_write(file, bytes, BYTES, MPI_BYTE,
			       MPI_STATUS_IGNORE);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc < 3 || level < MPI_THREAD_MULTIPLE)
		MPI_Abort(MPI_COMM_WORLD, 97);
	tell_begin(argv[2], rank);
	MPI_File_open(MPI_COMM_SELF, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR,
		      MPI_INFO_NULL, &file);
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, use_offsets, (void *)i))
			exit(96);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	MPI_File_close(&file);
	tell_end();
	MPI_Finalize();
	return 0;
}
