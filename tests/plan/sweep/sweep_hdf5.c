/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5: datasets of every layout, of which rows are left out. */
#include "sweep.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#ifdef SWEEP_MPI
#include <mpi.h>
#endif

enum { ROWS = 24, COLUMNS = 40, SMALL = 12 };

enum { CONTIGUOUS, CHUNKED };

/* Who writes: rank after rank, and after them nobody. */
static const struct grid {
	const char *name;
	int layout;
	bool has_fill, is_float, together, grows;
	double fill;
} grids[] = {
	{ "rows", CONTIGUOUS, false, false, false, false, 0 },
	{ "together", CONTIGUOUS, false, false, true, false, 0 },
	{ "filled", CONTIGUOUS, true, false, false, false, -1 },
	{ "floats", CONTIGUOUS, false, true, false, false, 0 },
	{ "chunks", CHUNKED, false, false, false, false, 0 },
	{ "chunks together", CHUNKED, false, false, true, false, 0 },
	{ "filled chunks", CHUNKED, true, false, false, false, 7 },
	{ "growing", CHUNKED, false, true, true, true, 0 },
};

#define GRIDS (sizeof(grids) / sizeof(*grids))

static hid_t file_list(void)
{
	hid_t list = H5Pcreate(H5P_FILE_ACCESS);

#ifdef SWEEP_MPI
	H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL);
#endif
	return list;
}

static hid_t transfer_list(bool together)
{
	hid_t list = H5Pcreate(H5P_DATASET_XFER);

#ifdef SWEEP_MPI
	if (together)
		H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
#endif
	return list;
}

static hid_t make_grid(hid_t file, const struct grid *grid)
{
	hsize_t dims[2] = { ROWS, COLUMNS }, chunk[2] = { 6, 16 };
	hsize_t most[2] = { H5S_UNLIMITED, COLUMNS };
	hid_t list = H5Pcreate(H5P_DATASET_CREATE);
	hid_t space, made;

	if (grid->grows)
		dims[0] = ROWS / 2;
	space = H5Screate_simple(2, dims, grid->grows ? most : NULL);
	if (grid->layout == CHUNKED)
		H5Pset_chunk(list, 2, chunk);
	if (grid->has_fill)
		H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &grid->fill);
	made = H5Dcreate2(file, grid->name,
			  grid->is_float ? H5T_IEEE_F32BE : H5T_NATIVE_DOUBLE,
			  space, H5P_DEFAULT, list, H5P_DEFAULT);
	dims[0] = ROWS;
	if (grid->grows)
		H5Dset_extent(made, dims);
	H5Sclose(space);
	H5Pclose(list);
	return made;
}

/* The rows of a rank in one call; or those of one row. */
static void put_rows(struct sweep *sweep, hid_t grid, int row, bool together)
{
	hsize_t start[2] = { (hsize_t)(row < 0 ? sweep->rank : row), 0 };
	hsize_t stride[2] = { (hsize_t)sweep->ranks + 1, 1 };
	hsize_t count[2] = { 1, COLUMNS };
	double values[ROWS * COLUMNS];
	hid_t space = H5Dget_space(grid), memory, list;

	if (row < 0)
		count[0] = ROWS / ((hsize_t)sweep->ranks + 1);
	for (size_t i = 0; i < count[0] * COLUMNS; i++)
		values[i] = sweep_value(sweep->rank,
					(start[0] + i / COLUMNS * stride[0]) *
					COLUMNS + i % COLUMNS);
	memory = H5Screate_simple(2, count, NULL);
	list = transfer_list(together);
	H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
	sweep_hold(sweep, H5Dwrite(grid, H5T_NATIVE_DOUBLE, memory, space,
				   list, values) >= 0,
		   "rows of a dataset are written");
	H5Pclose(list);
	H5Sclose(memory);
	H5Sclose(space);
}

static void write_grid(struct sweep *sweep, hid_t file, size_t n)
{
	hid_t grid = make_grid(file, &grids[n]);

	sweep_hold(sweep, grid >= 0, "a dataset is made");
	if (sweep->plain)
		for (int row = sweep->rank; row < ROWS;
		     row += sweep->ranks + 1)
			put_rows(sweep, grid, row, false);
	else
		put_rows(sweep, grid, -1, grids[n].together);
	H5Dclose(grid);
}

static double expected(const struct sweep *sweep, const struct grid *grid,
		       size_t at)
{
	int by = (int)(at / COLUMNS) % (sweep->ranks + 1);

	return by < sweep->ranks ? sweep_value(by, at) : grid->fill;
}

static void read_grid(struct sweep *sweep, hid_t file, size_t n)
{
	hid_t grid = H5Dopen2(file, grids[n].name, H5P_DEFAULT);
	hid_t list = transfer_list(grids[n].together);
	static double values[ROWS * COLUMNS];

	memset(values, 0x55, sizeof(values));
	sweep_hold(sweep, H5Dread(grid, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
				  list, values) >= 0,
		   "a dataset is read");
	for (size_t i = 0; i < ROWS * COLUMNS; i++)
		if (values[i] != expected(sweep, &grids[n], i))
			sweep_hold(sweep, false, grids[n].name);
	H5Pclose(list);
	H5Dclose(grid);
}

/* Each rank writes its own part; the last element is nobody's. */
static void write_small(struct sweep *sweep, hid_t file, int n)
{
	hsize_t dims[1] = { SMALL };
	hsize_t each = (SMALL - 1) / (hsize_t)sweep->ranks;
	hsize_t start = each * (hsize_t)sweep->rank;
	hid_t space = H5Screate_simple(1, dims, NULL), memory, made, attribute;
	int values[SMALL];
	char name[32];

	snprintf(name, sizeof(name), "small/%d", n);
	for (int i = 0; i < SMALL; i++)
		values[i] = 1 + n + sweep->rank;
	made = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT,
			  H5P_DEFAULT, H5P_DEFAULT);
	memory = H5Screate_simple(1, &each, NULL);
	H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &each, NULL);
	sweep_hold(sweep, H5Dwrite(made, H5T_NATIVE_INT, memory, space,
				   H5P_DEFAULT, values) >= 0,
		   "a part of a small dataset is written");
	H5Sclose(memory);
	memory = H5Screate(H5S_SCALAR);
	attribute = H5Acreate2(made, "number", H5T_NATIVE_INT, memory,
			       H5P_DEFAULT, H5P_DEFAULT);
	H5Awrite(attribute, H5T_NATIVE_INT, &n);
	H5Aclose(attribute);
	H5Sclose(memory);
	H5Sclose(space);
	H5Dclose(made);
}

/* Room that was used before is used again; alone, chunks are filled. */
static void reuse_room(struct sweep *sweep, hid_t file)
{
	static double values[ROWS * COLUMNS];
	hid_t grid;

#ifdef SWEEP_MPI
	return;
#endif
	grid = make_grid(file, &(struct grid){ .name = "old" });
	memset(values, 0x77, sizeof(values));
	H5Dwrite(grid, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
		 values);
	H5Dclose(grid);
	H5Ldelete(file, "old", H5P_DEFAULT);
	grid = make_grid(file, &(struct grid){ .name = "again",
					       .layout = CHUNKED });
	put_rows(sweep, grid, 0, false);
	H5Dclose(grid);
}

static void write_all(struct sweep *sweep, const char *path)
{
	hid_t list = file_list();
	hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
	hid_t group = H5Gcreate2(file, "small", H5P_DEFAULT, H5P_DEFAULT,
				 H5P_DEFAULT);

	sweep_hold(sweep, file >= 0, "HDF5 makes a file");
	for (size_t n = 0; n < GRIDS; n++)
		write_grid(sweep, file, n);
	for (int n = 0; n < 20; n++)
		write_small(sweep, file, n);
	reuse_room(sweep, file);
	H5Gclose(group);
	H5Fclose(file);
	H5Pclose(list);
}

/* Opened again, and written to once more. */
static void read_all(struct sweep *sweep, const char *path)
{
	hid_t list = file_list();
	hid_t file = H5Fopen(path, H5F_ACC_RDWR, list);

	sweep_hold(sweep, file >= 0, "HDF5 opens a file again");
	for (size_t n = 0; n < GRIDS; n++)
		read_grid(sweep, file, n);
	for (int n = 20; n < 24; n++)
		write_small(sweep, file, n);
	H5Fclose(file);
	H5Pclose(list);
}

void sweep_hdf5(struct sweep *sweep)
{
	char path[4096];

	sweep_path(sweep, "grids.h5", path);
	write_all(sweep, path);
	read_all(sweep, path);
}
