/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that share files by HDF5, and say what they do: usage: crowd LIST
 * Each rank writes its calls to LIST.RANK.
 */
#include "tell.h"

#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

enum { ROWS = 8, COLUMNS = 64 };

static double numbers[ROWS * COLUMNS];
static int rank, ranks;

static void say_extent(char *text, size_t room, const char *more)
{
	snprintf(text, room, "\"extent\":\"%d+%d,0+%d\",%s", rank * ROWS, ROWS,
		 COLUMNS, more);
}

static void write_mine(hid_t set, hid_t list, hid_t type, const char *more)
{
	hsize_t start[] = { (hsize_t)rank * ROWS, 0 };
	hsize_t count[] = { ROWS, COLUMNS };
	hid_t space = H5Dget_space(set);
	hid_t memory = H5Screate_simple(2, count, NULL);
	char args[200];

	H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
	if (H5Dwrite(set, type, memory, space, list, numbers) < 0)
		printf("rank %d cannot write\n", rank);
	say_extent(args, sizeof(args), more);
	tell("H5Dwrite", "p.h5:/shared", (long)(H5Tget_size(type)) * ROWS *
	     COLUMNS, args);
	H5Sclose(memory);
	H5Sclose(space);
}

/* What is asked for, and what becomes of it. */
static void write_in_all_modes(hid_t set)
{
	hid_t list = H5Pcreate(H5P_DATASET_XFER);

	write_mine(set, H5P_DEFAULT, H5T_NATIVE_DOUBLE, "\"asked\":0");
	H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
	tell("H5Pset_dxpl_mpio", NULL, 0, "\"mode\":1");
	write_mine(set, list, H5T_NATIVE_DOUBLE,
		   "\"asked\":1,\"got\":4,\"cause\":null");
	write_mine(set, list, H5T_NATIVE_FLOAT,
		   "\"asked\":1,\"got\":0,\"cause\":2");
	H5Pset_dxpl_mpio(list, H5FD_MPIO_INDEPENDENT);
	tell("H5Pset_dxpl_mpio", NULL, 0, "\"mode\":0");
	write_mine(set, list, H5T_NATIVE_DOUBLE, "\"asked\":0,\"got\":null");
	H5Pclose(list);
}

static void write_shared(hid_t access)
{
	hsize_t dims[] = { (hsize_t)ranks * ROWS, COLUMNS };
	hid_t file = H5Fcreate("p.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
	hid_t space = H5Screate_simple(2, dims, NULL);
	hid_t list = H5Pcreate(H5P_DATASET_CREATE), set;

	tell("H5Fcreate", "p.h5", 0, NULL);
	H5Pset_obj_track_times(list, 0);
	set = H5Dcreate2(file, "shared", H5T_NATIVE_DOUBLE, space, 0, list, 0);
	tell("H5Dcreate2", "p.h5:/shared", 0, NULL);
	write_in_all_modes(set);
	H5Dclose(set);
	tell("H5Dclose", "p.h5:/shared", 0, NULL);
	H5Fflush(file, H5F_SCOPE_GLOBAL);
	tell("H5Fflush", "p.h5", 0, NULL);
	H5Fclose(file);
	tell("H5Fclose", "p.h5", 0, NULL);
	H5Sclose(space);
	H5Pclose(list);
}

static void read_mine(hid_t set)
{
	hsize_t start[] = { (hsize_t)rank * ROWS, 0 };
	hsize_t count[] = { ROWS, COLUMNS };
	hid_t space = H5Dget_space(set);
	hid_t memory = H5Screate_simple(2, count, NULL);
	char args[200];

	H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
	if (H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT,
		    numbers) < 0)
		printf("rank %d cannot read\n", rank);
	say_extent(args, sizeof(args), "\"asked\":0");
	tell("H5Dread", "p.h5:/shared", sizeof(numbers), args);
	H5Sclose(memory);
	H5Sclose(space);
}

/* Whose it is must be known of what is opened, too. */
static void read_shared(hid_t access)
{
	hid_t file = H5Fopen("p.h5", H5F_ACC_RDONLY, access), set;

	tell("H5Fopen", "p.h5", 0, "\"seq\":0");
	set = H5Dopen2(file, "shared", H5P_DEFAULT);
	tell("H5Dopen2", "p.h5:/shared", 0, NULL);
	read_mine(set);
	H5Dclose(set);
	tell("H5Dclose", "p.h5:/shared", 0, NULL);
	H5Fclose(file);
	tell("H5Fclose", "p.h5", 0, "\"seq\":1");
}

/* Each for itself: nobody shares it, but a communicator it has. */
static void write_alone(void)
{
	hid_t first = H5Pcreate(H5P_FILE_ACCESS), access, file;
	char name[20];

	H5Pset_fapl_mpio(first, MPI_COMM_SELF, MPI_INFO_NULL);
	tell("H5Pset_fapl_mpio", NULL, 0, NULL);
	access = H5Pcopy(first);
	H5Pclose(first);
	snprintf(name, sizeof(name), "s%d.h5", rank);
	file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
	tell("H5Fcreate", name, 0, NULL);
	H5Fclose(file);
	tell("H5Fclose", name, 0, NULL);
	H5Pclose(access);
}

int main(int argc, char **argv)
{
	char path[200];
	hid_t access;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (argc != 2)
		MPI_Abort(MPI_COMM_WORLD, 2);
	snprintf(path, sizeof(path), "%s.%d", argv[1], rank);
	for (int i = 0; i < ROWS * COLUMNS; i++)
		numbers[i] = rank + i;
	tell_start(path);
	access = H5Pcreate(H5P_FILE_ACCESS);
	H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
	tell("H5Pset_fapl_mpio", NULL, 0, NULL);
	write_shared(access);
	write_shared(access); /* another time, and another key */
	read_shared(access);
	H5Pclose(access);
	write_alone();
	tell_end();
	MPI_Finalize();
	return 0;
}
