/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes variables again by PnetCDF: with each kind of call the same and a
 * part, and one that is only filled. usage: again_nc DIRECTORY; the files are
 * DIRECTORY/CASE.
 */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS	40
#define COLUMNS 60

static int rank, ranks, file, wanted;
static double numbers[ROWS * COLUMNS];

static void must(int err)
{
	if (err == NC_NOERR)
		return;
	fprintf(stderr, "again_nc: %s\n", ncmpi_strerror(err));
	MPI_Abort(MPI_COMM_WORLD, 2);
}

static const double *some(int round)
{
	for (int i = 0; i < ROWS * COLUMNS; i++)
		numbers[i] = i + 1000 * round + 0.5 * rank + 1;
	return numbers;
}

/* Rows of the rank, and fewer of them. */
static MPI_Offset start[2], count[2];

static void take_rows(int skip, int rows)
{
	start[0] = rank * (ROWS / ranks) + skip;
	start[1] = 0;
	count[0] = rows;
	count[1] = COLUMNS;
}

static void vara(int round)
{
	must(ncmpi_put_vara_double_all(file, wanted, start, count,
				       some(round)));
}

static void vars(int round)
{
	MPI_Offset stride[] = { 1, 3 };

	count[1] = COLUMNS / 3;
	must(ncmpi_put_vars_double_all(file, wanted, start, count, stride,
				       some(round)));
}

static void varn(int round)
{
	MPI_Offset first[2] = { start[0], 0 };
	MPI_Offset second[2] = { start[0] + count[0] / 2, 5 };
	MPI_Offset rows[2] = { count[0] / 2, COLUMNS };
	MPI_Offset part[2] = { count[0] / 2, 20 };
	MPI_Offset *starts[] = { first, second }, *counts[] = { rows, part };

	must(ncmpi_put_varn_double_all(file, wanted, 2, starts, counts,
				       some(round)));
}

static void iput(int round)
{
	int request, status;

	must(ncmpi_iput_vara_double(file, wanted, start, count, some(round),
				    &request));
	must(ncmpi_wait_all(file, 1, &request, &status));
}

static void define(const char *path, int fill)
{
	int dims[2], other;

	must(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA,
			  MPI_INFO_NULL, &file));
	if (fill)
		must(ncmpi_set_fill(file, NC_FILL, NULL));
	must(ncmpi_def_dim(file, "rows", ROWS, &dims[0]));
	must(ncmpi_def_dim(file, "columns", COLUMNS, &dims[1]));
	must(ncmpi_def_var(file, "wanted", NC_DOUBLE, 2, dims, &wanted));
	must(ncmpi_def_var(file, "other", NC_DOUBLE, 2, dims, &other));
	must(ncmpi_enddef(file));
}

static void play(const char *folder, const char *name, void (*how)(int),
		 int fill)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	define(path, fill);
	for (int i = 0; i < 3; i++) {
		take_rows(0, ROWS / ranks);
		how(i);
	}
	must(ncmpi_sync(file));
	MPI_Barrier(MPI_COMM_WORLD);
	take_rows(3, 8);
	how(5);
	must(ncmpi_close(file));
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	play(argv[1], "vara", vara, 0);
	play(argv[1], "vars", vars, 0);
	play(argv[1], "varn", varn, 0);
	play(argv[1], "iput", iput, 0);
	play(argv[1], "filled", vara, 1);
	MPI_Finalize();
	return argc != 2;
}
