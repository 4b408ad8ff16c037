/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the hints that a file has without any: KEY VALUE. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void print_hints(MPI_File file)
{
	char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
	int count, flag;
	MPI_Info info;

	MPI_File_get_info(file, &info);
	MPI_Info_get_nkeys(info, &count);
	for (int i = 0; i < count; i++) {
		MPI_Info_get_nthkey(info, i, key);
		MPI_Info_get(info, key, sizeof(value) - 1, value, &flag);
		printf("%s %s\n", key, value);
	}
	MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
	MPI_File file;

	MPI_Init(&argc, &argv);
	if (argc < 2 ||
	    MPI_File_open(MPI_COMM_SELF, argv[1],
			  MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
			  &file))
		return 1;
	print_hints(file);
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
