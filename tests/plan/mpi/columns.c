/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks write columns of a dataset of HDF5: columns FILE collective|alone
 *
 * Each has 64 of a row's bytes, of 4096 rows. 5: a call failed.
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 4096
#define WIDE 64

static int rank, ranks;

static long good(long id)
{
	if (id < 0)
		MPI_Abort(MPI_COMM_WORLD, 5);
	return id;
}

static hid_t make_file(const char *path)
{
	hid_t fapl = good(H5Pcreate(H5P_FILE_ACCESS)), file;

	good(H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL));
	file = good(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl));
	good(H5Pclose(fapl));
	return file;
}

static void write_columns(hid_t set, hid_t space, int is_collective)
{
	hsize_t start[2] = { 0, (hsize_t)rank * WIDE };
	hsize_t count[2] = { ROWS, WIDE };
	hid_t dxpl = good(H5Pcreate(H5P_DATASET_XFER));
	hid_t memory = good(H5Screate_simple(2, count, NULL));
	char *bytes = malloc(ROWS * WIDE);

	memset(bytes, 'a' + rank, ROWS * WIDE);
	if (is_collective)
		good(H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE));
	good(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count,
				 NULL));
	good(H5Dwrite(set, H5T_NATIVE_CHAR, memory, space, dxpl, bytes));
	free(bytes);
	good(H5Sclose(memory));
	good(H5Pclose(dxpl));
}

int main(int argc, char **argv)
{
	hid_t file, space, set, dcpl;
	hsize_t dims[2] = { ROWS };

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (argc < 3)
		good(-1);
	dims[1] = (hsize_t)ranks * WIDE;
	file = make_file(argv[1]);
	space = good(H5Screate_simple(2, dims, NULL));
	dcpl = good(H5Pcreate(H5P_DATASET_CREATE));
	good(H5Pset_obj_track_times(dcpl, 0)); /* the same bytes every time */
	set = good(H5Dcreate2(file, "columns", H5T_NATIVE_CHAR, space,
			      H5P_DEFAULT, dcpl, H5P_DEFAULT));
	write_columns(set, space, !strcmp(argv[2], "collective"));
	good(H5Pclose(dcpl));
	good(H5Dclose(set));
	good(H5Sclose(space));
	good(H5Fclose(file));
	MPI_Finalize();
	return 0;
}
