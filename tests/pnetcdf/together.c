/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One program that writes a NetCDF-4 file, which is one of HDF5, and a classic
 * one by PnetCDF, in turns.
 *
 * usage: together FILE TOLD     (TOLD.RANK is made, and empty)
 */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <pnetcdf.h>
#include <stdio.h>

enum { CELLS = 64 };

static int rank, ranks;

static void sure(int result, const char *what)
{
	if (result == NC_NOERR)
		return;
	fprintf(stderr, "%s: error %d\n", what, result);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static int create_four(const char *name, int *var)
{
	int file, dim;

	sure(nc_create_par(name, NC_CLOBBER | NC_NETCDF4, MPI_COMM_WORLD,
			   MPI_INFO_NULL, &file), "nc_create_par");
	sure(nc_def_dim(file, "cells", (size_t)(ranks * CELLS), &dim),
	     "nc_def_dim");
	sure(nc_def_var(file, "four", NC_DOUBLE, 1, &dim, var), "nc_def_var");
	sure(nc_enddef(file), "nc_enddef");
	sure(nc_var_par_access(file, *var, NC_COLLECTIVE), "collective");
	return file;
}

static int create_classic(const char *name, int *var)
{
	int file, dim;

	sure(ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER, MPI_INFO_NULL,
			  &file), "ncmpi_create");
	sure(ncmpi_def_dim(file, "cells", ranks * CELLS, &dim), "def_dim");
	sure(ncmpi_def_var(file, "classic", NC_DOUBLE, 1, &dim, var),
	     "ncmpi_def_var");
	sure(ncmpi_enddef(file), "ncmpi_enddef");
	return file;
}

static void write_both(const char *name)
{
	char classic[4096];
	double data[CELLS];
	size_t from = (size_t)(rank * CELLS), many = CELLS;
	MPI_Offset start = rank * CELLS, count = CELLS;
	int four, file, first, second;

	for (int i = 0; i < CELLS; i++)
		data[i] = rank * CELLS + i;
	snprintf(classic, sizeof(classic), "%s.classic", name);
	four = create_four(name, &first);
	file = create_classic(classic, &second);
	sure(nc_put_vara_double(four, first, &from, &many, data), "nc_put");
	sure(ncmpi_put_vara_double_all(file, second, &start, &count, data),
	     "ncmpi_put");
	sure(nc_get_vara_double(four, first, &from, &many, data), "nc_get");
	sure(ncmpi_get_vara_double_all(file, second, &start, &count, data),
	     "ncmpi_get");
	sure(nc_close(four), "nc_close");
	sure(ncmpi_close(file), "ncmpi_close");
}

int main(int argc, char **argv)
{
	char name[4096];
	FILE *out;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	snprintf(name, sizeof(name), "%s.%d", argv[2], rank);
	out = fopen(name, "w");
	if (!out)
		return 2;
	fprintf(out, "rank %d\n", rank);
	write_both(argv[1]);
	fclose(out);
	MPI_Finalize();
	return 0;
}
