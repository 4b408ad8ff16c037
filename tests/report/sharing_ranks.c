/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two ranks use the same bytes of a file through MPI-IO, one after the other:
 * rank 0 writes 1000 bytes, rank 1 then reads or writes 100 of them.
 *
 * usage: sharing_ranks CASE FILE
 *
 * CASE: `plain', `later' (what rank 0 does is non-blocking), `atomic'; and
 * `read' or `write' for rank 1.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "%s: error %d\n", what, err);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

static void first(MPI_File file, int is_later)
{
	static char bytes[1000];
	MPI_Request request;

	if (!is_later) {
		must(MPI_File_write_at(file, 0, bytes, sizeof(bytes), MPI_BYTE,
				       MPI_STATUS_IGNORE), "write_at");
		return;
	}
	must(MPI_File_iwrite_at(file, 0, bytes, sizeof(bytes), MPI_BYTE,
				&request), "iwrite_at");
	must(MPI_Wait(&request, MPI_STATUS_IGNORE), "wait");
}

static void second(MPI_File file, int writes)
{
	char bytes[100] = "";

	if (writes)
		must(MPI_File_write_at(file, 500, bytes, sizeof(bytes),
				       MPI_BYTE, MPI_STATUS_IGNORE),
		     "write_at");
	else
		must(MPI_File_read_at(file, 500, bytes, sizeof(bytes),
				      MPI_BYTE, MPI_STATUS_IGNORE), "read_at");
}

int main(int argc, char **argv)
{
	MPI_File file;
	int rank;

	if (argc != 3)
		return 2;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	must(MPI_File_open(MPI_COMM_WORLD, argv[2],
			   MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
			   &file), "open");
	if (strstr(argv[1], "atomic"))
		must(MPI_File_set_atomicity(file, 1), "set_atomicity");
	if (!rank)
		first(file, strstr(argv[1], "later") != NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank)
		second(file, strstr(argv[1], "write") != NULL);
	must(MPI_File_close(&file), "close");
	MPI_Finalize();
	return 0;
}
