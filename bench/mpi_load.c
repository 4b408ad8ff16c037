/* SPDX-License-Identifier: BSD-3-Clause */
/* A load for measuring a layer: mpi_load MODE CALLS FILE prints ns a call. */
#include "loadclock.h"

#include <mpi.h>
#include <stdlib.h>

#define BYTES 64
#define SPAN  4096 /* of the file that is written again and again */

static char buffer[BYTES];
static MPI_File file;

static int write_at(long i)
{
	return MPI_File_write_at(file, i * BYTES % SPAN, buffer, BYTES,
				 MPI_BYTE, MPI_STATUS_IGNORE);
}

static int read_at(long i)
{
	return MPI_File_read_at(file, i * BYTES % SPAN, buffer, BYTES,
				MPI_BYTE, MPI_STATUS_IGNORE);
}

static int write_at_all(long i)
{
	return MPI_File_write_at_all(file, i * BYTES % SPAN, buffer, BYTES,
				     MPI_BYTE, MPI_STATUS_IGNORE);
}

/* By the rank's own pointer, from the beginning now and then. */
static int write_on(long i)
{
	if (i * BYTES % SPAN == 0)
		MPI_File_seek(file, 0, MPI_SEEK_SET);
	return MPI_File_write(file, buffer, BYTES, MPI_BYTE,
			      MPI_STATUS_IGNORE);
}

/* A message to itself: no request is a file's. */
static int wait_for_none(long i)
{
	MPI_Request request;
	int in, out = (int)i;

	MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
	MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
	return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static const struct loadclock_mode modes[] = {
	{ "write_at", write_at },	  { "read_at", read_at },
	{ "write_at_all", write_at_all }, { "write", write_on },
	{ "wait", wait_for_none },
};

int main(int argc, char **argv)
{
	int status;

	MPI_Init(&argc, &argv);
	if (argc < 4 ||
	    MPI_File_open(MPI_COMM_SELF, argv[3],
			  MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
			  &file))
		return 2;
	status = loadclock_run(modes, sizeof(modes) / sizeof(*modes), argv[1],
			       atol(argv[2]));
	MPI_File_close(&file);
	MPI_Finalize();
	return status;
}
