/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datasets of which some elements are never written, or all. usage: h5fill
 * FILE; a dataset for each way to fill, contiguous, so that a byte is easy to
 * find in the file.
 */
#include <hdf5.h>
#include <stdlib.h>

#define ROWS	64
#define COLUMNS 100
#define PART	600 /* elements that are written */

static void must(hid_t fine)
{
	if (fine < 0)
		exit(1);
}

static hid_t usual(void)
{
	hid_t list = H5Pcreate(H5P_DATASET_CREATE);

	must(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY));
	return list;
}

static hid_t filled(void)
{
	hid_t list = usual();
	double value = 7.5;

	must(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &value));
	return list;
}

static hid_t chunked(void)
{
	hid_t list = filled();

	must(H5Pset_chunk(list, 2, (hsize_t[]){ 10, 10 }));
	return list;
}

static hid_t never(void)
{
	hid_t list = usual();

	must(H5Pset_fill_time(list, H5D_FILL_TIME_NEVER));
	return list;
}

static hid_t undefined(void)
{
	hid_t list = usual();

	must(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, NULL));
	return list;
}

/* A block in the middle. */
static void put(hid_t set)
{
	static double numbers[PART];
	hsize_t count = PART;
	hid_t memory = H5Screate_simple(1, &count, NULL);
	hid_t space = H5Dget_space(set);

	for (int i = 0; i < PART; i++)
		numbers[i] = i + 1;
	must(H5Sselect_hyperslab(space, H5S_SELECT_SET, (hsize_t[]){ 3, 4 },
				 NULL, (hsize_t[]){ 20, 30 }, NULL));
	must(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT,
		      numbers));
	H5Sclose(space);
	H5Sclose(memory);
}

static void make(hid_t file, const char *name, hid_t list, int is_written)
{
	hid_t space = H5Screate_simple(2, (hsize_t[]){ ROWS, COLUMNS }, NULL);
	hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT,
			       list, H5P_DEFAULT);

	must(set);
	if (is_written)
		put(set);
	H5Dclose(set);
	H5Sclose(space);
	H5Pclose(list);
}

int main(int argc, char **argv)
{
	hid_t file = argc == 2 ? H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT,
					   H5P_DEFAULT)
			       : -1;

	must(file);
	make(file, "usual", usual(), 1);
	make(file, "filled", filled(), 1);
	make(file, "chunked", chunked(), 1);
	make(file, "never", never(), 1);
	make(file, "undefined", undefined(), 1);
	make(file, "untouched", usual(), 0);
	return H5Fclose(file) < 0;
}
