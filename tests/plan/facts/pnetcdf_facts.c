/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the keys that PnetCDF itself tells of a file: KEY VALUE. */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
	int file, dimension, variable, count, flag;
	MPI_Info info;

	MPI_Init(&argc, &argv);
	if (argc < 2 || ncmpi_create(MPI_COMM_SELF, argv[1], NC_CLOBBER,
				     MPI_INFO_NULL, &file))
		return 1;
	ncmpi_def_dim(file, "x", 4, &dimension);
	ncmpi_def_var(file, "v", NC_INT, 1, &dimension, &variable);
	ncmpi_enddef(file);
	ncmpi_inq_file_info(file, &info);
	MPI_Info_get_nkeys(info, &count);
	for (int i = 0; i < count; i++) {
		MPI_Info_get_nthkey(info, i, key);
		MPI_Info_get(info, key, sizeof(value) - 1, value, &flag);
		if (!strncmp(key, "nc_", 3))
			printf("%s %s\n", key, value);
	}
	MPI_Info_free(&info);
	ncmpi_close(file);
	MPI_Finalize();
	return 0;
}
