/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens files in a directory by the libraries it was built with.
 * usage: opens DIRECTORY FILE...
 */
#include <mpi.h>
#ifdef WITH_HDF5
#include <hdf5.h>
#endif
#ifdef WITH_PNETCDF
#include <pnetcdf.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void must(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s failed\n", what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}

static void by_mpi(const char *name)
{
	MPI_File file;
	int rank;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	must(!MPI_File_open(MPI_COMM_WORLD, name,
			    MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
			    &file), name);
	must(!MPI_File_write_at(file, rank, "x", 1, MPI_CHAR,
				MPI_STATUS_IGNORE), "write");
	MPI_File_close(&file);
}

static void by_hdf5(void)
{
#ifdef WITH_HDF5
	hid_t list = H5Pcreate(H5P_FILE_ACCESS), file;

	H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL);
	file = H5Fcreate("by.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list);
	must(file >= 0 && H5Fclose(file) >= 0, "H5Fcreate");
	file = H5Fopen("by.h5", H5F_ACC_RDONLY, list);
	must(file >= 0 && H5Fclose(file) >= 0, "H5Fopen");
	H5Pclose(list);
#endif
}

static void by_pnetcdf(void)
{
#ifdef WITH_PNETCDF
	int file;

	must(!ncmpi_create(MPI_COMM_WORLD, "by.nc", NC_CLOBBER, MPI_INFO_NULL,
			   &file) && !ncmpi_close(file), "ncmpi_create");
	must(!ncmpi_open(MPI_COMM_WORLD, "by.nc", NC_NOWRITE, MPI_INFO_NULL,
			 &file) && !ncmpi_close(file), "ncmpi_open");
#endif
}

int main(int argc, char **argv)
{
	MPI_File file;

	MPI_Init(&argc, &argv);
	must(argc > 1 && !chdir(argv[1]), "chdir");
	for (int i = 2; i < argc; i++)
		by_mpi(argv[i]);
	must(MPI_File_open(MPI_COMM_WORLD, "missing", MPI_MODE_RDONLY,
			   MPI_INFO_NULL, &file), "not to open");
	by_hdf5();
	by_pnetcdf();
	MPI_Finalize();
	return 0;
}
