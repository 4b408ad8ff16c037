/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every rank writes its columns of a matrix, step by step, independently.
 * usage: blocks FILE [skip|turns|head|order|halves]
 * skip: the last rank leaves the last step out; turns: each waits for the one
 * before it; head: the first rank alone writes a dataset more; order: all write
 * one dataset and read another, the last rank the other way round; halves: two
 * files, each of half the ranks.
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define ROWS  1024
#define WIDTH 16 /* columns of a rank */
#define STEPS 8

static int rank, ranks;
static MPI_Comm all = MPI_COMM_WORLD;

static hid_t open_file(const char *path)
{
	hid_t list = H5Pcreate(H5P_FILE_ACCESS), file;

	H5Pset_fapl_mpio(list, all, MPI_INFO_NULL);
	file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
	H5Pclose(list);
	return file;
}

static hid_t make_dataset(hid_t file, int step)
{
	hsize_t dims[2] = {ROWS, (hsize_t)(ranks * WIDTH)};
	hid_t space = H5Screate_simple(2, dims, NULL), dataset;
	char name[32];

	snprintf(name, sizeof(name), "/step%d", step);
	dataset = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT,
			     H5P_DEFAULT, H5P_DEFAULT);
	H5Sclose(space);
	return dataset;
}

static hid_t select_columns(hid_t dataset)
{
	hsize_t from[2] = {0, (hsize_t)(rank * WIDTH)};
	hsize_t count[2] = {ROWS, WIDTH};
	hid_t space = H5Dget_space(dataset);

	H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL);
	return space;
}

static int data[ROWS * WIDTH];

static void write_data(hid_t dataset, int step)
{
	hsize_t size = ROWS * WIDTH;
	hid_t space = select_columns(dataset);
	hid_t memory = H5Screate_simple(1, &size, NULL);

	for (int i = 0; i < ROWS * WIDTH; i++)
		data[i] = step * 1000 + rank;
	H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, data);
	H5Sclose(memory);
	H5Sclose(space);
}

static void read_data(hid_t dataset)
{
	hsize_t size = ROWS * WIDTH;
	hid_t space = select_columns(dataset);
	hid_t memory = H5Screate_simple(1, &size, NULL);

	H5Dread(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, data);
	H5Sclose(memory);
	H5Sclose(space);
}

/* Two places in the program, and an order that not all ranks have. */
static void write_pair(hid_t one, hid_t other, int step)
{
	if (rank < ranks - 1)
		write_data(one, step);
	read_data(other);
	if (rank == ranks - 1)
		write_data(one, step);
}

static void write_pairs(hid_t file)
{
	for (int step = 0; step < STEPS; step += 2) {
		hid_t one = make_dataset(file, step);
		hid_t other = make_dataset(file, step + 1);

		write_pair(one, other, step);
		H5Dclose(one);
		H5Dclose(other);
	}
}

static void part(char path[4096], const char *whole)
{
	int half = rank >= ranks / 2;

	snprintf(path, 4096, "%s.%d.h5", whole, half);
	MPI_Comm_split(MPI_COMM_WORLD, half, rank, &all);
	MPI_Comm_rank(all, &rank);
	MPI_Comm_size(all, &ranks);
}

static void write_step(hid_t dataset, int step, const char *manner)
{
	int turns = !strcmp(manner, "turns"), token = 0;

	if (!strcmp(manner, "skip") && step == STEPS - 1 && rank == ranks - 1)
		return;
	if (turns && rank)
		MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	write_data(dataset, step);
	if (turns && rank < ranks - 1)
		MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
}

static void write_head(hid_t file)
{
	hsize_t size = 4;
	int head[4] = {ROWS, WIDTH, STEPS, ranks};
	hid_t space = H5Screate_simple(1, &size, NULL);
	hid_t dataset = H5Dcreate2(file, "/head", H5T_NATIVE_INT, space,
				   H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

	if (!rank)
		H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL,
			 H5P_DEFAULT, head);
	H5Dclose(dataset);
	H5Sclose(space);
}

static void write_steps(hid_t file, const char *manner)
{
	for (int step = 0; step < STEPS; step++) {
		hid_t dataset = make_dataset(file, step);

		write_step(dataset, step, manner);
		H5Dclose(dataset);
	}
}

int main(int argc, char **argv)
{
	const char *manner = argc > 2 ? argv[2] : "";
	char path[4096];
	hid_t file;

	snprintf(path, sizeof(path), "%s", argv[1]);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (!strcmp(manner, "halves"))
		part(path, argv[1]);
	file = open_file(path);
	if (!strcmp(manner, "head"))
		write_head(file);
	if (!strcmp(manner, "order"))
		write_pairs(file);
	else
		write_steps(file, manner);
	H5Fclose(file);
	MPI_Finalize();
	return 0;
}
