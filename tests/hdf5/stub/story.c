/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of a newer HDF5 than is here, by a stand-in: usage: story LIST */
#include "../tell.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef int64_t hid_t;
typedef uint64_t hsize_t;

#define HERE __FILE__, __func__, __LINE__
#define DOUBLE ((hid_t)3 << 56 | 1)
#define EVENTS 77

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
int H5Dclose_async(const char *, const char *, unsigned, hid_t, hid_t);
int H5Fclose_async(const char *, const char *, unsigned, hid_t, hid_t);
int H5ESwait(hid_t, uint64_t, size_t *, _Bool *);

static double numbers[500];

int main(int argc, char **argv)
{
	hsize_t n[] = { 100, 200 };
	hid_t space[] = { H5Screate_simple(1, &n[0], NULL),
			  H5Screate_simple(1, &n[1], NULL) };
	hid_t set[2], type[] = { DOUBLE, DOUBLE }, none[] = { 0, 0 }, file;
	const void *from[] = { numbers, numbers };
	int bad = argc != 2;

	if (bad)
		return 2;
	tell_start(argv[1]);
	file = H5Fcreate_async(HERE, "n.h5", 2, 0, 0, EVENTS);
	tell("H5Fcreate_async", "n.h5", 0, "\"es_id\":77,\"flags\":2");
	set[0] = H5Dcreate_async(HERE, file, "u", DOUBLE, space[0], 0, 0, 0,
				 EVENTS);
	tell("H5Dcreate_async", "n.h5:/u", 0, "\"name\":\"u\"");
	set[1] = H5Dcreate_async(HERE, file, "v", DOUBLE, space[1], 0, 0, 0,
				 EVENTS);
	tell("H5Dcreate_async", "n.h5:/v", 0, NULL);
	bad |= H5Dwrite_async(HERE, set[0], DOUBLE, 0, 0, 0, numbers, EVENTS);
	tell("H5Dwrite_async", "n.h5:/u", 800,
	     "\"shape\":\"100\",\"extent\":\"0+100\",\"runs\":1,\"es_id\":77");
	bad |= H5Dread_async(HERE, set[1], DOUBLE, 0, 0, 0, numbers, EVENTS);
	tell("H5Dread_async", "n.h5:/v", 1600, "\"shape\":\"200\"");
	bad |= H5Dwrite_multi(2, set, type, none, none, 0, from);
	tell("hdf5_part", "n.h5:/u", 800, "\"extent\":\"0+100\"");
	tell("hdf5_part", "n.h5:/v", 1600, "\"extent\":\"0+200\"");
	tell("H5Dwrite_multi", "n.h5:/u", 2400, "\"count\":2");
	bad |= !H5ESwait(EVENTS, 0, NULL, NULL); /* it is none */
	tell_failed("H5ESwait", NULL);
	bad |= H5Dclose_async(HERE, set[0], EVENTS);
	tell("hdf5_place", "n.h5:/u", 800, "\"off\":0");
	tell("H5Dclose_async", "n.h5:/u", 0, NULL);
	bad |= H5Fclose_async(HERE, file, EVENTS);
	tell("hdf5_place", "n.h5:/v", 1600, "\"off\":4096");
	tell("H5Fclose_async", "n.h5", 0, NULL);
	tell_end();
	printf("bad: %d\n", bad);
	return bad;
}
