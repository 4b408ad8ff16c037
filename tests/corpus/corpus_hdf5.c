/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same through HDF5: each call works on a dataset of its own, and HDF5
 * itself says which bytes of the file that is.
 *
 * usage: corpus_hdf5 SEED CALLS FILE LOG
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS    64
#define COLUMNS 256

static FILE *story;
static int rank, ranks;
static hid_t file;
static double *block;

/* A contiguous dataset whose place is known before it is written. */
static hid_t make_dataset(const char *name, hid_t space)
{
	hid_t how = H5Pcreate(H5P_DATASET_CREATE);
	hid_t made;

	H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY);
	H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
	made = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
			  how, H5P_DEFAULT);
	H5Pclose(how);
	return made;
}

/* Rows in a piece, or columns, which lie between those of other ranks. */
static void choose(hid_t space, int by_columns)
{
	hsize_t start[2] = {0, 0}, count[2] = {ROWS, COLUMNS};
	int at = by_columns ? 1 : 0;

	count[at] /= (hsize_t)ranks;
	start[at] = (hsize_t)rank * count[at];
	H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
}

static herr_t move(hid_t set, hid_t space, int reads, int together)
{
	hid_t how = H5Pcreate(H5P_DATASET_XFER);
	hsize_t elements = (hsize_t)H5Sget_select_npoints(space);
	hid_t memory = H5Screate_simple(1, &elements, NULL);
	herr_t err;

	H5Pset_dxpl_mpio(how, together ? H5FD_MPIO_COLLECTIVE
				       : H5FD_MPIO_INDEPENDENT);
	if (reads)
		err = H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, how,
			      block);
	else
		err = H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, how,
			       block);
	H5Sclose(memory);
	H5Pclose(how);
	return err;
}

static int play(long number, unsigned ways)
{
	hsize_t shape[2] = {ROWS, COLUMNS};
	hid_t space = H5Screate_simple(2, shape, NULL);
	int reads = ways & 1, together = ways >> 1 & 1, columns = ways >> 2 & 1;
	haddr_t low;
	char name[32];
	hid_t set;
	herr_t err;

	snprintf(name, sizeof(name), "/d%ld", number);
	set = make_dataset(name, space);
	low = H5Dget_offset(set);
	choose(space, columns);
	err = move(set, space, reads, together);
	fprintf(story, "{\"low\":%llu,\"high\":%llu,\"call\":\"%s\","
		"\"object\":\"%s\"}\n", (unsigned long long)low,
		(unsigned long long)low + ROWS * COLUMNS * sizeof(double),
		reads ? "H5Dread" : "H5Dwrite", name);
	if (!rank)
		fprintf(story, "{\"shape\":\"%s %s, %s\"}\n",
			columns ? "columns" : "rows",
			together ? "together" : "alone",
			reads ? "read" : "written");
	H5Dclose(set);
	H5Sclose(space);
	return err < 0;
}

int main(int argc, char **argv)
{
	unsigned seed;
	hid_t access;
	char name[4096];
	int failed = 0;

	if (argc != 5)
		return 2;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	seed = (unsigned)atoi(argv[1]);
	snprintf(name, sizeof(name), "%s.%d", argv[4], rank);
	story = fopen(name, "w");
	block = calloc(ROWS * COLUMNS, sizeof(*block));
	access = H5Pcreate(H5P_FILE_ACCESS);
	H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
	file = H5Fcreate(argv[3], H5F_ACC_TRUNC, H5P_DEFAULT, access);
	H5Pclose(access);
	for (long i = 0; !failed && i < atol(argv[2]); i++)
		failed = play(i, (unsigned)rand_r(&seed) >> 4);
	H5Fclose(file);
	fclose(story);
	free(block);
	MPI_Finalize();
	return failed;
}
