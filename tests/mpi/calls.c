/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes every call of the table once at least, and says what must be recorded
 * of it.
 *
 *	calls DIRECTORY [EXPECTED]
 */
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int rank, ranks;
char buffer[BYTES];

void must(int ret, const char *call)
{
	char text[MPI_MAX_ERROR_STRING];
	int len;

	if (ret == MPI_SUCCESS)
		return;
	MPI_Error_string(ret, text, &len);
	fprintf(stderr, "rank %d: %s: %s\n", rank, call, text);
	MPI_Abort(MPI_COMM_WORLD, 98);
}

void fill(int seed)
{
	for (int i = 0; i < BYTES; i++)
		buffer[i] = (char)(i * 7 + seed + rank * 31);
}

void told_transfer(const char *call, long size, long off, long ret)
{
	tell((struct told){ .call = call, .size = size, .off = off,
			    .ret = ret });
}

void told_together(const char *call, long size, long off, long ret)
{
	tell((struct told){ .call = call, .size = size, .off = off,
			    .ret = ret, .together = 1 });
}

void told_done(long ret)
{
	tell((struct told){ .call = "MPI_File_done", .off = NOWHERE,
			    .ret = ret, .child = 1 });
}

MPI_File open_file(const char *directory, const char *name, int amode)
{
	char path[4096];
	MPI_File file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	MUST(MPI_File_open(MPI_COMM_WORLD, path, amode, MPI_INFO_NULL, &file));
	tell_together("MPI_File_open");
	return file;
}

void close_file(MPI_File *file)
{
	MUST(MPI_File_close(file));
	tell_together("MPI_File_close");
}

static void begin(int *argc, char ***argv, const char *expected)
{
	int level;

	MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	tell_begin(expected, rank);
	tell_plain("MPI_Init_thread");
	if (level < MPI_THREAD_MULTIPLE)
		must(MPI_ERR_OTHER, "MPI_Init_thread");
}

int main(int argc, char **argv)
{
	const char *directory = argc > 1 ? argv[1] : ".";

	begin(&argc, &argv, argc > 2 ? argv[2] : NULL);
	try_placed(directory);
	try_own_pointer(directory);
	try_shared_pointer(directory);
	try_views(directory);
	try_questions(directory);
	try_split(directory);
	try_requests(directory);
	try_large(directory);
	try_errors(directory);
	tell_plain("MPI_Finalize");
	tell_end();
	MPI_Finalize();
	return 0;
}
