/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens a file by MPI-IO and prints which hints it has, KEY=VALUE each.
 * usage: info FILE
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	char key[MPI_MAX_INFO_KEY + 1], value[1025];
	MPI_File file;
	MPI_Info info;
	int count, length, given;

	MPI_Init(&argc, &argv);
	if (argc != 2 ||
	    MPI_File_open(MPI_COMM_SELF, argv[1],
			  MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
			  &file) != MPI_SUCCESS)
		MPI_Abort(MPI_COMM_WORLD, 1);
	MPI_File_get_info(file, &info);
	MPI_Info_get_nkeys(info, &count);
	for (int i = 0; i < count; i++) {
		MPI_Info_get_nthkey(info, i, key);
		MPI_Info_get_valuelen(info, key, &length, &given);
		MPI_Info_get(info, key, 1024, value, &given);
		printf("%s=%s\n", key, value);
	}
	MPI_Info_free(&info);
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
