/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two copies of HDF5 in one process, whose ids have the same values: usage:
 * twin PLUGIN LIST
 */
#include "twin.h"

#include "tell.h"

#include <dlfcn.h>
#include <hdf5.h>
#include <stdio.h>

static double numbers[100];

int main(int argc, char **argv)
{
	hsize_t ten = 10;
	void *plugin = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL)
				 : NULL;
	twin_function *step = plugin ? dlsym(plugin, "twin_step") : NULL;
	hid_t file, space, set;

	if (!step) {
		fprintf(stderr, "twin: %s\n", plugin ? "no step" : dlerror());
		return 2;
	}
	tell_start(argv[2]);
	file = H5Fcreate("one.h5", H5F_ACC_TRUNC, 0, 0);
	tell("H5Fcreate", "one.h5", 0, NULL);
	printf("other: %d\n", step(TWIN_OPEN, tell));
	space = H5Screate_simple(1, &ten, NULL);
	set = H5Dcreate2(file, "mine", H5T_NATIVE_DOUBLE, space, 0, 0, 0);
	tell("H5Dcreate2", "one.h5:/mine", 0, NULL);
	printf("other: %d\n", step(TWIN_CREATE, tell));
	H5Dwrite(set, H5T_NATIVE_DOUBLE, 0, 0, 0, numbers);
	tell("H5Dwrite", "one.h5:/mine", 80, "\"shape\":\"10\"");
	printf("other: %d\n", step(TWIN_WRITE, tell));
	H5Dclose(set);
	tell("H5Dclose", "one.h5:/mine", 0, NULL);
	printf("other: %d\n", step(TWIN_CLOSE, tell));
	H5Fclose(file);
	tell("H5Fclose", "one.h5", 0, NULL);
	tell_end();
	return 0;
}
