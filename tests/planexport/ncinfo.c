/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a file by PnetCDF and prints which hints it has, KEY=VALUE each.
 * usage: ncinfo FILE
 */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	char key[MPI_MAX_INFO_KEY + 1], value[1025];
	int count, given, file, dimension, variable;
	MPI_Info info;

	MPI_Init(&argc, &argv);
	if (argc != 2 || ncmpi_create(MPI_COMM_SELF, argv[1], NC_CLOBBER,
				      MPI_INFO_NULL, &file) != NC_NOERR)
		MPI_Abort(MPI_COMM_WORLD, 1);
	ncmpi_def_dim(file, "x", 10, &dimension);
	ncmpi_def_var(file, "v", NC_INT, 1, &dimension, &variable);
	ncmpi_enddef(file);
	ncmpi_inq_file_info(file, &info);
	MPI_Info_get_nkeys(info, &count);
	for (int i = 0; i < count; i++) {
		MPI_Info_get_nthkey(info, i, key);
		MPI_Info_get(info, key, 1024, value, &given);
		printf("%s=%s\n", key, value);
	}
	MPI_Info_free(&info);
	ncmpi_close(file);
	MPI_Finalize();
	return 0;
}
