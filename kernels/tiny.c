/* SPDX-License-Identifier: BSD-3-Clause */
/* Many small datasets with attributes: more metadata than data. */
#include "h5.h"

#include <stdio.h>
#include <stdlib.h>

enum { DATASETS, ELEMENTS, ATTRIBUTES, PER_GROUP, ALIGN, MODE };

static struct kernel_option options[] = {
	[DATASETS] = { "datasets", "N", "in the file", KERNEL_NUMBER, 300, 1,
		       1 << 24 },
	[ELEMENTS] = { "elements", "N", "doubles of each rank in each",
		       KERNEL_NUMBER, 16, 1, 1 << 20 },
	[ATTRIBUTES] = { "attributes", "N", "of each dataset", KERNEL_NUMBER, 1,
			 0, 100 },
	[PER_GROUP] = { "per-group", "N", "datasets in a group; 0: no groups",
			KERNEL_NUMBER, 100, 0, 1 << 24 },
	[ALIGN] = { "align", "BYTES", "of all objects in the file; 0: none",
		    KERNEL_NUMBER, 0, 0, 1 << 30 },
	[MODE] = { "mode", "independent|collective", "of the transfers",
		   KERNEL_CHOICE },
	{ 0 },
};

static uint64_t value_of(int option)
{
	return (uint64_t)options[option].number;
}

static void name_group(char name[static 32], uint64_t set)
{
	uint64_t per = value_of(PER_GROUP);

	snprintf(name, 32, "group%06llu",
		 (unsigned long long)(per ? set / per : 0));
}

static void name_set(char name[static 32], uint64_t set)
{
	snprintf(name, 32, "set%08llu", (unsigned long long)set);
}

static struct kernel_array array_of(const struct kernel_run *run, uint64_t set,
				    const char *name)
{
	return (struct kernel_array){
		.what = name,
		.width = KERNEL_F64,
		.stream = set,
		.count = value_of(ELEMENTS) * (uint64_t)run->ranks,
	};
}

static struct kernel_block place(const struct kernel_run *run)
{
	uint64_t mine = value_of(ELEMENTS);

	return (struct kernel_block){
		.dims = 1,
		.whole = { mine * (uint64_t)run->ranks },
		.start = { mine * (uint64_t)run->rank },
		.count = { mine },
	};
}

/* A value that tells dataset and attribute. */
static int stamp(uint64_t set, uint64_t attribute)
{
	return (int)(set * 1000 + attribute);
}

static void describe(struct kernel_h5 *h5, hid_t group, uint64_t set)
{
	char name[32], attribute[32];
	hid_t object, space = H5Screate(H5S_SCALAR);

	name_set(name, set);
	object = kernel_h5_sure(h5->run, H5Dopen2(group, name, H5P_DEFAULT),
				"open a dataset");
	for (uint64_t i = 0; i < value_of(ATTRIBUTES); i++) {
		int value = stamp(set, i);
		hid_t a;

		snprintf(attribute, sizeof(attribute), "a%d", (int)i);
		a = kernel_h5_sure(h5->run,
				   H5Acreate2(object, attribute,
					      H5T_NATIVE_INT, space,
					      H5P_DEFAULT, H5P_DEFAULT),
				   "create an attribute");
		kernel_h5_sure(h5->run, H5Awrite(a, H5T_NATIVE_INT, &value),
			       "write an attribute");
		H5Aclose(a);
	}
	H5Sclose(space);
	H5Dclose(object);
}

/* The group of a dataset; it is made with its first one. */
static hid_t group_of(struct kernel_h5 *h5, uint64_t set)
{
	uint64_t per = value_of(PER_GROUP);
	char name[32];

	if (!per)
		return kernel_h5_sure(h5->run,
				      H5Gopen2(h5->file, "/", H5P_DEFAULT),
				      "open the root");
	name_group(name, set);
	if (set % per)
		return kernel_h5_sure(h5->run,
				      H5Gopen2(h5->file, name, H5P_DEFAULT),
				      "open a group");
	return kernel_h5_sure(h5->run,
			      H5Gcreate2(h5->file, name, H5P_DEFAULT,
					 H5P_DEFAULT, H5P_DEFAULT),
			      "create a group");
}

static void act(struct kernel_run *run)
{
	struct kernel_h5_manner manner = {
		.collective = value_of(MODE),
		.alignment = value_of(ALIGN),
		.threshold = 1,
	};
	struct kernel_block block = place(run);
	void *data = kernel_memory(run, value_of(ELEMENTS) * 8);
	struct kernel_h5 h5;
	char name[32];

	kernel_h5_create(&h5, run, &manner);
	for (uint64_t set = 0; set < value_of(DATASETS); set++) {
		hid_t group = group_of(&h5, set);
		struct kernel_array array;

		name_set(name, set);
		array = array_of(run, set, name);
		kernel_block_fill(&block, &array, data);
		kernel_h5_write(&h5, group, &array, &block, data);
		kernel_start(run);
		describe(&h5, group, set);
		H5Gclose(group);
		kernel_stop(run, KERNEL_WRITE);
	}
	kernel_h5_close(&h5);
	free(data);
}

/* Every rank looks at all attributes of a dataset: they are few. */
static void compare_attributes(struct kernel_run *run, hid_t file,
			       const char *path, uint64_t set)
{
	char name[32];

	for (uint64_t i = 0; i < value_of(ATTRIBUTES); i++) {
		int value = -1;
		hid_t attribute;

		snprintf(name, sizeof(name), "a%d", (int)i);
		attribute = kernel_h5_sure(run,
					   H5Aopen_by_name(file, path, name,
							   H5P_DEFAULT,
							   H5P_DEFAULT),
					   "open an attribute");
		H5Aread(attribute, H5T_NATIVE_INT, &value);
		H5Aclose(attribute);
		if (value != stamp(set, i))
			run->wrong += sizeof(value);
		run->compared += sizeof(value);
	}
}

static void compare(struct kernel_run *run)
{
	char group[32], name[32], path[80];
	hid_t file = kernel_h5_sure(run,
				    H5Fopen(run->path, H5F_ACC_RDONLY,
					    H5P_DEFAULT),
				    "open the file to check it");

	for (uint64_t set = 0; set < value_of(DATASETS); set++) {
		struct kernel_array array;

		name_set(name, set);
		name_group(group, set);
		snprintf(path, sizeof(path), "%s/%s",
			 value_of(PER_GROUP) ? group : "", name);
		array = array_of(run, set, name);
		kernel_h5_check(run, &array, path);
		compare_attributes(run, file, path, set);
	}
	H5Fclose(file);
}

struct kernel kernel = {
	.name = "tiny",
	.summary = "Writes many small datasets: more metadata than data",
	.pattern =
		"One HDF5 file; for each dataset: create it, every rank writes "
		"a few doubles, one\nbeside the other, close it, open it "
		"again and give it attributes. Groups of 100.\nA run is "
		"elements*8 bytes, one a rank and dataset.",
	.source = "the metadata storms of simulation codes; 300 to 10000 "
		  "objects",
	.options = options,
	.act = act,
	.compare = compare,
};
