/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-IO as kernels use it: one shared file. */
#include "mpio.h"

void kernel_mpio_sure(const struct kernel_run *run, int result,
		      const char *what)
{
	char text[MPI_MAX_ERROR_STRING];
	int length;

	if (result == MPI_SUCCESS)
		return;
	MPI_Error_string(result, text, &length);
	kernel_fail(run, "MPI cannot %s: %s", what, text);
}

MPI_File kernel_mpio_create(struct kernel_run *run, const char *path)
{
	MPI_File file;

	kernel_start(run);
	kernel_mpio_sure(run,
			 MPI_File_open(MPI_COMM_WORLD, path,
				       MPI_MODE_CREATE | MPI_MODE_WRONLY,
				       MPI_INFO_NULL, &file),
			 "open the file");
	kernel_mpio_sure(run, MPI_File_set_size(file, 0), "empty the file");
	kernel_stop(run, KERNEL_OPEN);
	return file;
}

void kernel_mpio_close(struct kernel_run *run, MPI_File *file)
{
	kernel_start(run);
	kernel_mpio_sure(run, MPI_File_close(file), "close the file");
	kernel_stop(run, KERNEL_CLOSE);
}
