/* SPDX-License-Identifier: BSD-3-Clause */
/* Datasets that are written before they have a name, as h5py makes them. */
#include <hdf5.h>

#define ELEMENTS 8000
#define PART	 100

static double values[ELEMENTS];

static hid_t make(hid_t file, double first)
{
	hsize_t dims = ELEMENTS;
	hid_t space = H5Screate_simple(1, &dims, NULL);
	hid_t set = H5Dcreate_anon(file, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT,
				   H5P_DEFAULT);

	for (int i = 0; i < ELEMENTS; i++)
		values[i] = first + i;
	H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
		 values);
	H5Sclose(space);
	return set;
}

static void rewrite(hid_t set, hsize_t from)
{
	hsize_t count = PART;
	hid_t space = H5Dget_space(set);
	hid_t memory = H5Screate_simple(1, &count, NULL);

	H5Sselect_hyperslab(space, H5S_SELECT_SET, &from, NULL, &count, NULL);
	H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values);
	H5Sclose(memory);
	H5Sclose(space);
}

int main(int argc, char **argv)
{
	hid_t file, one, two;

	if (argc != 2)
		return 2;
	file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	one = make(file, 1);
	two = make(file, 1e6);
	H5Olink(one, file, "late", H5P_DEFAULT, H5P_DEFAULT);
	rewrite(one, 50);
	H5Olink(two, file, "later", H5P_DEFAULT, H5P_DEFAULT);
	H5Dclose(one);
	H5Dclose(two);
	H5Fclose(file);

	file = H5Fopen(argv[1], H5F_ACC_RDWR, H5P_DEFAULT);
	one = H5Dopen2(file, "late", H5P_DEFAULT);
	rewrite(one, 100);
	H5Dclose(one);
	return H5Fclose(file) < 0;
}
