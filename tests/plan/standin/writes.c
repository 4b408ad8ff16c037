/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a file with MPI-IO, and one with PnetCDF where there is a name. */
#include <mpi.h>
#ifdef WITH_PNETCDF
#include <pnetcdf.h>
#endif

static void die_if(int failed)
{
	if (failed)
		MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_plain(char *name)
{
	MPI_File file;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	die_if(MPI_File_open(MPI_COMM_WORLD, name,
			     MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
			     &file));
	die_if(MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof(rank),
				     &rank, 1, MPI_INT, MPI_STATUS_IGNORE));
	die_if(MPI_File_close(&file));
}

static void write_netcdf(const char *name)
{
#ifdef WITH_PNETCDF
	int file, dim, var;

	die_if(ncmpi_create(MPI_COMM_WORLD, name, NC_CLOBBER, MPI_INFO_NULL,
			    &file));
	die_if(ncmpi_def_dim(file, "x", 4, &dim));
	die_if(ncmpi_def_var(file, "v", NC_INT, 1, &dim, &var));
	die_if(ncmpi_enddef(file));
	die_if(ncmpi_close(file));
#else
	(void)name;
#endif
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	if (argc > 1)
		write_plain(argv[1]);
	if (argc > 2)
		write_netcdf(argv[2]);
	MPI_Finalize();
	return 0;
}
