/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two ranks write in turns: the n-th write is at 8 * n. With MPI the turn is
 * passed on by a message, without it the file's size tells whose it is.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef WITH_MPI
#include <mpi.h>

static int begin(int *argc, char ***argv)
{
	int rank;

	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return rank;
}

static void wait_for(int fd, long turn, int rank)
{
	char ball;

	if (turn)
		MPI_Recv(&ball, 1, MPI_CHAR, !rank, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
}

static void pass_on(long turn, long turns, int rank)
{
	char ball = 0;

	if (turn + 1 < turns)
		MPI_Send(&ball, 1, MPI_CHAR, !rank, 0, MPI_COMM_WORLD);
}

static void end(void)
{
	MPI_Finalize();
}
#else
static int begin(int *argc, char ***argv)
{
	return atoi(getenv("RANK"));
}

static void wait_for(int fd, long turn, int rank)
{
	struct stat st;

	while (!fstat(fd, &st) && st.st_size < 8 * turn)
		usleep(500);
}

static void pass_on(long turn, long turns, int rank)
{
}

static void end(void)
{
}
#endif

int main(int argc, char **argv)
{
	int rank = begin(&argc, &argv);
	long turns = atol(argv[2]);
	int fd = open(argv[1], O_RDWR | O_CREAT, 0600);

	for (long turn = rank; turn < turns; turn += 2) {
		uint64_t word = (uint64_t)turn;

		wait_for(fd, turn, rank);
		if (pwrite(fd, &word, 8, 8 * turn) != 8)
			return 1;
		pass_on(turn, turns, rank);
	}
	close(fd);
	end();
	return 0;
}
