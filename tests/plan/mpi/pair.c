/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two threads of a rank open files at once, each with an info of its own, which
 * must stay as it was: pair FILE. 3: it did not; 5: a call failed.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 20

static const char *path;
static int rank;

#define MUST(call)                                                             \
	do {                                                                   \
		if (call)                                                      \
			MPI_Abort(MPI_COMM_WORLD, 5);                          \
	} while (0)

static void check(MPI_Info info, const char *value)
{
	char got[64] = "";
	int keys = 0, found = 0;

	MUST(MPI_Info_get_nkeys(info, &keys));
	MUST(MPI_Info_get(info, "own", 63, got, &found));
	if (keys != 1 || !found || strcmp(got, value))
		MPI_Abort(MPI_COMM_WORLD, 3);
}

static void *open_files(void *which)
{
	char name[4096], value[32];
	MPI_Info info;
	MPI_File file;

	snprintf(name, sizeof(name), "%s.%d.%ld", path, rank, (long)which);
	snprintf(value, sizeof(value), "%ld", (long)which);
	MUST(MPI_Info_create(&info));
	MUST(MPI_Info_set(info, "own", value));
	for (int i = 0; i < ROUNDS; i++) {
		MUST(MPI_File_open(MPI_COMM_SELF, name,
				   MPI_MODE_CREATE | MPI_MODE_RDWR, info,
				   &file));
		check(info, value);
		MUST(MPI_File_close(&file));
	}
	MUST(MPI_Info_free(&info));
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc < 2 || level < MPI_THREAD_MULTIPLE)
		MPI_Abort(MPI_COMM_WORLD, 97);
	path = argv[1];
	if (pthread_create(&thread, NULL, open_files, (void *)1L))
		exit(96);
	open_files((void *)0L);
	pthread_join(thread, NULL);
	MPI_Finalize();
	return 0;
}
