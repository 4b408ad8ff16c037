/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a variable from memory that cannot be written: who changes the order
 * of bytes in the program's own buffer, to change it back later, is ended.
 */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define LENGTH 65536

static void must(int err)
{
	if (err)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static const int *constant_values(void)
{
	size_t bytes = LENGTH * sizeof(int);
	int *values = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (values == MAP_FAILED)
		abort();
	for (int i = 0; i < LENGTH; i++)
		values[i] = i;
	if (mprotect(values, bytes, PROT_READ))
		abort();
	return values;
}

int main(int argc, char **argv)
{
	const struct rlimit none = { 0, 0 };
	int file, dim, var;

	setrlimit(RLIMIT_CORE, &none);
	MPI_Init(&argc, &argv);
	must(ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER, MPI_INFO_NULL,
			  &file));
	must(ncmpi_def_dim(file, "x", LENGTH, &dim));
	must(ncmpi_def_var(file, "v", NC_INT, 1, &dim, &var));
	must(ncmpi_enddef(file));
	must(ncmpi_put_var_int_all(file, var, constant_values()));
	must(ncmpi_close(file));
	MPI_Finalize();
	return 0;
}
