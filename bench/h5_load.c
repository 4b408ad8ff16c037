/* SPDX-License-Identifier: BSD-3-Clause */
/* A load for measuring a layer: h5_load MODE CALLS FILE prints ns a call. */
#include "loadclock.h"

#include <hdf5.h>
#include <stdlib.h>

#define NUMBERS 8   /* of a call: 64 bytes, as the other layers' loads */
#define PLACES	64  /* in the dataset that is written again and again */

static double numbers[NUMBERS];
static hid_t dataset, memory, places;

static int select_place(long i)
{
	hsize_t at = (hsize_t)(i % PLACES) * NUMBERS, count = NUMBERS;

	return H5Sselect_hyperslab(places, H5S_SELECT_SET, &at, NULL, &count,
				   NULL) < 0;
}

static int write_part(long i)
{
	return select_place(i) ||
	       H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, places,
			H5P_DEFAULT, numbers) < 0;
}

static int read_part(long i)
{
	return select_place(i) ||
	       H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, places,
		       H5P_DEFAULT, numbers) < 0;
}

static const struct loadclock_mode modes[] = {
	{ "H5Dwrite", write_part }, { "H5Dread", read_part },
};

int main(int argc, char **argv)
{
	hsize_t all = PLACES * NUMBERS, part = NUMBERS;
	hid_t file;
	int status;

	if (argc < 4)
		return 2;
	file = H5Fcreate(argv[3], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
	places = H5Screate_simple(1, &all, NULL);
	memory = H5Screate_simple(1, &part, NULL);
	dataset = H5Dcreate2(file, "numbers", H5T_NATIVE_DOUBLE, places,
			     H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
	if (dataset < 0)
		return 1;
	status = loadclock_run(modes, sizeof(modes) / sizeof(*modes), argv[1],
			       atol(argv[2]));
	H5Dclose(dataset);
	H5Fclose(file);
	return status;
}
