/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: sweep DIR [plain|small]; small: without what HDF5 does in chunks */
#include "sweep.h"

#include <stdio.h>
#include <string.h>
#ifdef SWEEP_MPI
#include <mpi.h>
#endif

void sweep_hold(struct sweep *sweep, bool holds, const char *what)
{
	if (!holds && sweep->wrong++ < 8)
		fprintf(stderr, "rank %d: wrong: %s\n", sweep->rank, what);
}

const char *sweep_path(const struct sweep *sweep, const char *name,
		       char room[4096])
{
	snprintf(room, 4096, "%s/%s", sweep->dir, name);
	return room;
}

double sweep_value(int by, size_t at)
{
	return 1 + by + 0.5 * (double)at;
}

static void run_all(struct sweep *sweep, bool is_small)
{
	if (!sweep->rank)
		sweep_stdio(sweep);
#ifdef SWEEP_MPI
	sweep_mpi(sweep);
#endif
#ifdef SWEEP_PNETCDF
	sweep_pnetcdf(sweep);
#endif
	if (!is_small)
		sweep_hdf5(sweep);
}

int main(int argc, char **argv)
{
	struct sweep sweep = { .ranks = 1 };

#ifdef SWEEP_MPI
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &sweep.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &sweep.ranks);
#endif
	if (argc < 2)
		return 2;
	sweep.dir = argv[1];
	sweep.plain = argc > 2 && !strcmp(argv[2], "plain");
	run_all(&sweep, argc > 2 && !strcmp(argv[argc - 1], "small"));
#ifdef SWEEP_MPI
	MPI_Finalize();
#endif
	return sweep.wrong ? 3 : 0;
}
