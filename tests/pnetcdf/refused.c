/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of PnetCDF that are refused; tells each with its error and the name
 * that the library gives it.
 *
 * usage: refused FILE MISSING
 */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

#define REFUSED(symbol, ...) tell(#symbol, symbol(__VA_ARGS__))

static void tell(const char *symbol, int result)
{
	printf("%s %d %s\n", symbol, -result, ncmpi_strerrno(result));
}

static void refuse(int file, int var)
{
	MPI_Offset high[2] = { 100, 0 }, none[2] = { 0, 0 };
	MPI_Offset too_many[2] = { 3, 3 }, back[2] = { -1, 1 };
	double data[9] = { 0 };
	int request = 12345, status;

	REFUSED(ncmpi_put_vara_all, file, var, high, too_many, data, 9,
		MPI_DOUBLE);
	REFUSED(ncmpi_put_vars_all, file, var, none, too_many, back, data, 9,
		MPI_DOUBLE);
	REFUSED(ncmpi_put_var1_all, file, var + 7, none, data, 1, MPI_DOUBLE);
	REFUSED(ncmpi_iput_vara, file, var + 7, none, too_many, data, 9,
		MPI_DOUBLE, NULL);
	REFUSED(ncmpi_get_att, file, var, "missing", data);
	REFUSED(ncmpi_rename_var, file, var + 7, "other");
	REFUSED(ncmpi_wait_all, file, 1, &request, &status);
}

int main(int argc, char **argv)
{
	int file, dims[2], var;

	MPI_Init(&argc, &argv);
	REFUSED(ncmpi_open, MPI_COMM_WORLD, argv[2], NC_NOWRITE, MPI_INFO_NULL,
		&file);
	REFUSED(ncmpi_close, 900);
	if (ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER, MPI_INFO_NULL,
			 &file) ||
	    ncmpi_def_dim(file, "rows", 2, &dims[0]) ||
	    ncmpi_def_dim(file, "columns", 2, &dims[1]) ||
	    ncmpi_def_var(file, "var", NC_DOUBLE, 2, dims, &var) ||
	    ncmpi_enddef(file))
		return 1;
	refuse(file, var);
	if (ncmpi_close(file))
		return 1;
	MPI_Finalize();
	return 0;
}
