/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes of the program: what is beside data, and how data are moved. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>

static void add_attributes(hid_t object, int count)
{
	hid_t space = good(H5Screate(H5S_SCALAR));

	for (int i = 0; i < count; i++) {
		char name[16];

		snprintf(name, sizeof(name), "a%d", i);
		good(H5Aclose(good(H5Acreate2(object, name, H5T_NATIVE_INT,
					      space, H5P_DEFAULT,
					      H5P_DEFAULT))));
	}
	good(H5Sclose(space));
}

/* Links of the root group and attributes of a dataset, twelve of each. */
void scene_links(const char *name)
{
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    access_list()));
	hid_t dataset = make(file, "field", 4, 4, H5P_DEFAULT);
	H5G_info_t group;
	H5O_info_t info;

	add_attributes(dataset, 12);
	for (int i = 0; i < 11; i++) {
		char link[16];

		snprintf(link, sizeof(link), "l%d", i);
		good(H5Lcreate_soft("/field", file, link, H5P_DEFAULT,
				    H5P_DEFAULT));
	}
	good(H5Fflush(file, H5F_SCOPE_LOCAL));
	good(H5Gget_info(file, &group));
	tell("storage_type", group.storage_type);
	good(H5Oget_info(dataset, &info));
	tell("attribute_index", (long long)info.meta_size.attr.index_size);
	tell("has_times", info.mtime != 0);
	good(H5Oget_info(file, &info));
	tell("root_header", (long long)info.hdr.space.total);
	good(H5Dclose(dataset));
	good(H5Fclose(file));
}

/* A dataset behind a link into another file, opened again and again. */
void scene_outside(const char *name)
{
	hid_t access = access_list();
	hid_t file = good(H5Fcreate("other.h5", H5F_ACC_TRUNC, H5P_DEFAULT,
				    access));

	good(H5Dclose(make(file, "field", 4, 4, H5P_DEFAULT)));
	good(H5Fclose(file));
	file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access));
	good(H5Dclose(make(file, "own", 4, 4, H5P_DEFAULT)));
	good(H5Lcreate_external("other.h5", "/field", file, "link",
				H5P_DEFAULT, H5P_DEFAULT));
	good(H5Fclose(file));
	file = good(H5Fopen(name, H5F_ACC_RDONLY, access));
	for (int i = 0; i < 6; i++)
		good(H5Dclose(good(H5Dopen2(file, "link", H5P_DEFAULT))));
	for (int i = 0; i < 6; i++)
		good(H5Dclose(good(H5Dopen2(file, "own", H5P_DEFAULT))));
	good(H5Fclose(file));
}

/* Numbers of one kind in memory and of another in the file. */
void scene_convert(const char *name)
{
	hsize_t dims[1] = { 512 << 10 }, start = 0, step = 2, count = 2048;
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    access_list()));
	hid_t space = good(H5Screate_simple(1, dims, NULL));
	hid_t dataset = good(H5Dcreate2(file, "field", H5T_NATIVE_DOUBLE, space,
					H5P_DEFAULT, H5P_DEFAULT,
					H5P_DEFAULT));
	int *data = calloc(dims[0], sizeof(*data));

	good(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
		      data));
	good(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &step, &count,
				 NULL));
	good(H5Dwrite(dataset, H5T_NATIVE_INT, space, space, H5P_DEFAULT,
		      data));
	tell("peak", memory("VmPeak"));
	free(data);
	good(H5Sclose(space));
	good(H5Dclose(dataset));
	good(H5Fclose(file));
}

/* Chunks with checksums, */
void scene_check(const char *name)
{
	hid_t list = good(H5Pcreate(H5P_DATASET_CREATE));
	const hsize_t sides[2] = { 16, 16 }, at[2] = { 0, 0 };
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    H5P_DEFAULT));
	hid_t dataset;

	good(H5Pset_chunk(list, 2, sides));
	good(H5Pset_fletcher32(list));
	dataset = make(file, "field", 16, 16, list);
	write_part(dataset, at, sides, H5P_DEFAULT);
	good(H5Dclose(dataset));
	good(H5Fclose(file));
}

/* and whether they can be read. */
void scene_recheck(const char *name)
{
	hid_t file = good(H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT));
	hid_t dataset = good(H5Dopen2(file, "field", H5P_DEFAULT));
	int data[256];

	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	tell("read", H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL,
			     H5P_DEFAULT, data));
	good(H5Dclose(dataset));
	good(H5Fclose(file));
}

/* Calls of the oldest kind, which take fewer lists. */
void scene_old(const char *name)
{
	hsize_t dims[2] = { 64, 64 };
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    access_list()));
	hid_t space = good(H5Screate_simple(2, dims, NULL));
	hid_t dataset = good(H5Dcreate1(file, "field", H5T_NATIVE_INT, space,
					H5P_DEFAULT));

	good(H5Dclose(dataset));
	dataset = good(H5Dopen1(file, "field"));
	describe(file, dataset);
	good(H5Dclose(dataset));
	good(H5Sclose(space));
	good(H5Fclose(file));
}

/* 4 MiB in columns: a rank has 4096 pieces. */
void scene_wide(const char *name)
{
	const hsize_t size[2] = { 4096, 256 / (hsize_t)program_ranks };
	const hsize_t at[2] = { 0, size[1] * (hsize_t)program_rank };
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    access_list()));
	hid_t dataset = make(file, "field", 4096, 256, H5P_DEFAULT);

	write_part(dataset, at, size, H5P_DEFAULT);
	good(H5Dclose(dataset));
	good(H5Fclose(file));
	file = good(H5Fopen(name, H5F_ACC_RDONLY, access_list()));
	dataset = good(H5Dopen2(file, "field", H5P_DEFAULT));
	tell("good", read_part(dataset, at, size, H5P_DEFAULT));
	good(H5Dclose(dataset));
	good(H5Fclose(file));
}
