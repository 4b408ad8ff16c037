/* SPDX-License-Identifier: BSD-3-Clause */
/* The second copy: the same as twin.c with another file, and other sizes. */
#include "twin.h"

#include <hdf5.h>

static hid_t file, set;
static int numbers[25];

__attribute__((visibility("default"))) int twin_step(enum twin_what what,
						     twin_tell *say);

static int create(void)
{
	hsize_t five[] = { 5, 5 };
	hid_t space = H5Screate_simple(2, five, NULL);

	set = H5Dcreate2(file, "other", H5T_NATIVE_INT, space, 0, 0, 0);
	return set < 0;
}

int twin_step(enum twin_what what, twin_tell *say)
{
	int bad = 0;

	switch (what) {
	case TWIN_OPEN:
		file = H5Fcreate("two.h5", H5F_ACC_TRUNC, 0, 0);
		say("H5Fcreate", "two.h5", 0, 0);
		return file < 0;
	case TWIN_CREATE:
		bad = create();
		say("H5Dcreate2", "two.h5:/other", 0, 0);
		return bad;
	case TWIN_WRITE:
		bad = H5Dwrite(set, H5T_NATIVE_INT, 0, 0, 0, numbers);
		say("H5Dwrite", "two.h5:/other", 100, "\"shape\":\"5x5\"");
		return bad;
	case TWIN_CLOSE:
		bad = H5Dclose(set);
		say("H5Dclose", "two.h5:/other", 0, 0);
		bad |= H5Fclose(file);
		say("H5Fclose", "two.h5", 0, 0);
	}
	return bad;
}
