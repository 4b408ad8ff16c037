/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage: async FILE
 *
 * Calls of a newer HDF5, of which there is a stand-in: it prints the lists
 * that it is given.
 */
#include "../../hdf5/stub/stub.h"

#include <stdio.h>

#define HERE __FILE__, __func__, __LINE__

hid_t H5Screate_simple(int, const hsize_t *, const hsize_t *);
hid_t H5Fcreate_async(const char *, const char *, unsigned, const char *,
		      unsigned, hid_t, hid_t, hid_t);
hid_t H5Dcreate_async(const char *, const char *, unsigned, hid_t,
		      const char *, hid_t, hid_t, hid_t, hid_t, hid_t, hid_t);
int H5Dwrite_async(const char *, const char *, unsigned, hid_t, hid_t, hid_t,
		   hid_t, hid_t, const void *, hid_t);
int H5Dread_async(const char *, const char *, unsigned, hid_t, hid_t, hid_t,
		  hid_t, hid_t, void *, hid_t);
int H5Dwrite_multi(size_t, hid_t *, hid_t *, hid_t *, hid_t *, hid_t,
		   const void **);
hid_t H5EScreate(void);
int H5ESwait(hid_t, uint64_t, size_t *, bool *);

static double numbers[100];

static void write_several(const hid_t sets[2])
{
	hid_t both[2] = { sets[0], sets[1] }, types[2] = { DOUBLE, DOUBLE };
	hid_t all[2] = { 0, 0 };
	const void *from[2] = { numbers, numbers };

	printf("several %d\n",
	       H5Dwrite_multi(2, both, types, all, all, 0, from));
}

int main(int argc, char **argv)
{
	const hsize_t length = 100;
	hid_t space = H5Screate_simple(1, &length, NULL);
	hid_t es = H5EScreate();
	hid_t file = H5Fcreate_async(HERE, argc > 1 ? argv[1] : "x.h5", 2, 0,
				     0, es);
	hid_t sets[2];
	size_t left = 0;
	bool failed = false;

	printf("file %d\n", file >= 0);
	for (int i = 0; i < 2; i++)
		sets[i] = H5Dcreate_async(HERE, file, i ? "two" : "one", DOUBLE,
					  space, 0, 0, 0, i ? es : 0);
	printf("sets %d %d\n", sets[0] >= 0, sets[1] >= 0);
	printf("write %d\n", H5Dwrite_async(HERE, sets[0], DOUBLE, 0, 0, 0,
					    numbers, es));
	printf("wait %d\n", H5ESwait(es, UINT64_MAX, &left, &failed));
	printf("read %d\n", H5Dread_async(HERE, sets[0], DOUBLE, 0, 0, 0,
					  numbers, es));
	printf("wait %d\n", H5ESwait(es, UINT64_MAX, &left, &failed));
	write_several(sets);
	printf("lists %d\n", stub_open_lists());
	return 0;
}
