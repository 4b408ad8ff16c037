/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI that ends in an unusual way: ends HOW FILE
 *
 *	free	a request is given up before it is known to be done
 *	after	a file is written when MPI is over
 *	abort	rank 1 calls MPI_Abort
 *	kill	rank 1 is killed
 *	crash	it touches memory that is not there
 */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank;
static char bytes[100];

static void write_own(MPI_File file)
{
	MPI_File_write_at(file, rank * 100, bytes, 100, MPI_BYTE,
			  MPI_STATUS_IGNORE);
}

static void give_up(MPI_File file)
{
	MPI_Request request;

	MPI_File_iwrite_at(file, rank * 100, bytes, 100, MPI_BYTE, &request);
	MPI_Request_free(&request);
	sleep(1); /* nothing else tells when the buffer is free */
}

static void end_early(const char *how)
{
	if (!strcmp(how, "abort"))
		MPI_Abort(MPI_COMM_WORLD, 3);
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "crash"))
		kill(getpid(), SIGSEGV);
}

static void write_after(const char *name)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0 || write(fd, bytes, 7) != 7 || close(fd))
		perror(name);
}

int main(int argc, char **argv)
{
	const char *how = argv[1], *name = argv[2];
	MPI_File file;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR,
		      MPI_INFO_NULL, &file);
	write_own(file);
	if (!strcmp(how, "free"))
		give_up(file);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1)
		end_early(how);
	MPI_File_close(&file);
	MPI_Finalize();
	if (!strcmp(how, "after") && rank == 0)
		write_after(name);
	return 0;
}
