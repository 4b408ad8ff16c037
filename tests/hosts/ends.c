/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that end in other ways than most; before, each writes 100 times. */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void write_some(int fd, int count)
{
	for (int i = 0; i < count; i++)
		if (write(fd, "12345678", 8) != 8)
			_exit(9);
}

int main(int argc, char **argv)
{
	char path[4096];
	int rank, fd;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	snprintf(path, sizeof(path), "%s/rank.%d", argv[2], rank);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	write_some(fd, 100);
	MPI_Barrier(MPI_COMM_WORLD);
	if (!strcmp(argv[1], "finalize")) {
		MPI_Finalize();
		write_some(fd, 50);
		return 0;
	}
	if (rank && !strcmp(argv[1], "kill"))
		kill(getpid(), SIGKILL);
	if (rank && !strcmp(argv[1], "abort"))
		MPI_Abort(MPI_COMM_WORLD, 7);
	for (;;)
		pause(); /* until the launcher has had enough */
}
