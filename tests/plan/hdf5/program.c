/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage: program SCENE FILE
 *
 * A program with HDF5, by itself or in ranks. It knows nothing of plans; what
 * it prints are facts that a plan may change, and that its data are good.
 */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef H5_HAVE_PARALLEL
#include <mpi.h>
#endif

int program_rank, program_ranks = 1;

static const struct {
	const char *name;
	void (*play)(const char *file);
} scenes[] = {
	{ "field", scene_field },     { "own", scene_own },
	{ "once", scene_once },	      { "fails", scene_fails },
	{ "many", scene_many },	      { "several", scene_several },
	{ "small", scene_small },
	{ "sieve", scene_sieve },     { "rows", scene_rows },
	{ "sets", scene_sets },	      { "links", scene_links },
	{ "outside", scene_outside }, { "convert", scene_convert },
	{ "check", scene_check },     { "recheck", scene_recheck },
	{ "old", scene_old },	      { "columns", scene_columns },
	{ "together", scene_together }, { "chunks", scene_chunks },
	{ "idle", scene_idle },	      { "wide", scene_wide },
};

void tell(const char *name, long long number)
{
	if (!program_rank)
		printf("%s %lld\n", name, number);
}

long long good(long long result)
{
	if (result < 0) {
		fprintf(stderr, "a call of HDF5 has failed\n");
		exit(1);
	}
	return result;
}

long memory(const char *what)
{
	FILE *status = fopen("/proc/self/status", "r");
	size_t length = strlen(what);
	char line[256];
	long size = -1;

	while (status && fgets(line, sizeof(line), status))
		if (!strncmp(line, what, length) && line[length] == ':')
			size = atol(line + length + 1);
	if (status)
		fclose(status);
	return size;
}

hid_t access_list(void)
{
#ifdef H5_HAVE_PARALLEL
	hid_t list = good(H5Pcreate(H5P_FILE_ACCESS));

	good(H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL));
	return list;
#else
	return H5P_DEFAULT;
#endif
}

hid_t together(void)
{
#ifdef H5_HAVE_PARALLEL
	hid_t list = good(H5Pcreate(H5P_DATASET_XFER));

	good(H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE));
	return list;
#else
	return H5P_DEFAULT;
#endif
}

hid_t make(hid_t file, const char *name, int rows, int columns, hid_t list)
{
	hsize_t dims[2] = { (hsize_t)rows, (hsize_t)columns };
	hid_t space = good(H5Screate_simple(2, dims, NULL));
	hid_t dataset = good(H5Dcreate2(file, name, H5T_NATIVE_INT, space,
					H5P_DEFAULT, list, H5P_DEFAULT));

	good(H5Sclose(space));
	return dataset;
}

static int number_at(hsize_t row, hsize_t column)
{
	return (int)(row * 1000 + column);
}

static hid_t select_part(hid_t dataset, const hsize_t at[2],
			 const hsize_t size[2])
{
	hid_t space = good(H5Dget_space(dataset));

	good(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL));
	return space;
}

void write_part(hid_t dataset, const hsize_t at[2], const hsize_t size[2],
		hid_t transfer)
{
	hid_t space = select_part(dataset, at, size);
	hid_t memory = good(H5Screate_simple(2, size, NULL));
	int *data = malloc(size[0] * size[1] * sizeof(*data));

	for (hsize_t i = 0; i < size[0] * size[1]; i++)
		data[i] = number_at(at[0] + i / size[1], at[1] + i % size[1]);
	good(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, transfer, data));
	free(data);
	good(H5Sclose(memory));
	good(H5Sclose(space));
}

bool read_part(hid_t dataset, const hsize_t at[2], const hsize_t size[2],
	       hid_t transfer)
{
	hid_t space = select_part(dataset, at, size);
	hid_t memory = good(H5Screate_simple(2, size, NULL));
	int *data = calloc(size[0] * size[1], sizeof(*data));
	bool is_good = true;

	good(H5Dread(dataset, H5T_NATIVE_INT, memory, space, transfer, data));
	for (hsize_t i = 0; i < size[0] * size[1]; i++)
		is_good &= data[i] == number_at(at[0] + i / size[1],
						at[1] + i % size[1]);
	free(data);
	good(H5Sclose(memory));
	good(H5Sclose(space));
	return is_good;
}

static void describe_list(hid_t list)
{
	hsize_t sides[2] = { 0, 0 };

	tell("layout", H5Pget_layout(list));
	if (H5Pget_layout(list) == H5D_CHUNKED)
		good(H5Pget_chunk(list, 2, sides));
	tell("chunk_rows", (long long)sides[0]);
	tell("chunk_columns", (long long)sides[1]);
	tell("filters", good(H5Pget_nfilters(list)));
	for (int i = 0; i < H5Pget_nfilters(list); i++) {
		unsigned flags, config, values[8];
		size_t count = 8;
		char name[16];

		tell("filter", H5Pget_filter2(list, (unsigned)i, &flags,
					      &count, values, sizeof(name),
					      name, &config));
	}
}

void describe(hid_t file, hid_t dataset)
{
	hid_t list = good(H5Dget_create_plist(dataset));
	H5F_info2_t info;

	describe_list(list);
	good(H5Pclose(list));
	tell("offset", (long long)H5Dget_offset(dataset));
	tell("storage", (long long)H5Dget_storage_size(dataset));
	good(H5Fget_info2(file, &info));
	tell("superblock", info.super.version);
}

int main(int argc, char **argv)
{
	size_t count = sizeof(scenes) / sizeof(*scenes);

#ifdef H5_HAVE_PARALLEL
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &program_rank);
	MPI_Comm_size(MPI_COMM_WORLD, &program_ranks);
#endif
	for (size_t i = 0; argc > 2 && i < count; i++)
		if (!strcmp(scenes[i].name, argv[1]))
			scenes[i].play(argv[2]);
#ifdef H5_HAVE_PARALLEL
	MPI_Finalize();
#endif
	return 0;
}
