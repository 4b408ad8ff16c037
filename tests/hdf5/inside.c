/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a dataset; built by the test, with HDF5 in its own file or not. */
#include <hdf5.h>

int main(void)
{
	const int values[4] = { 1, 2, 3, 4 };
	hsize_t count = 4;
	hid_t file = H5Fcreate("out.h5", H5F_ACC_TRUNC, H5P_DEFAULT,
			       H5P_DEFAULT);
	hid_t space = H5Screate_simple(1, &count, NULL);
	hid_t set = H5Dcreate2(file, "set", H5T_NATIVE_INT, space, H5P_DEFAULT,
			       H5P_DEFAULT, H5P_DEFAULT);

	H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
	H5Dclose(set);
	H5Sclose(space);
	return H5Fclose(file) < 0;
}
