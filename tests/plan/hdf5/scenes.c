/* SPDX-License-Identifier: BSD-3-Clause */
/* Scenes of the program: files and what is in them. */
#include "program.h"

#include <stdio.h>

#define SIDE 256

static const hsize_t corner[2] = { 0, 0 };

/* The columns of this rank. */
static void own_columns(hsize_t at[2], hsize_t size[2])
{
	size[0] = SIDE;
	size[1] = SIDE / (hsize_t)program_ranks;
	at[0] = 0;
	at[1] = size[1] * (hsize_t)program_rank;
}

static hid_t chunked(hsize_t rows, hsize_t columns)
{
	hid_t list = good(H5Pcreate(H5P_DATASET_CREATE));
	hsize_t sides[2] = { rows, columns };

	good(H5Pset_chunk(list, 2, sides));
	return list;
}

static void reread(const char *name, hid_t transfer)
{
	hid_t file = good(H5Fopen(name, H5F_ACC_RDONLY, access_list()));
	hid_t dataset = good(H5Dopen2(file, "field", H5P_DEFAULT));
	hsize_t at[2], size[2];

	own_columns(at, size);
	tell("good", read_part(dataset, at, size, transfer));
	describe(file, dataset);
	good(H5Dclose(dataset));
	good(H5Fclose(file));
}

static void play_field(const char *name, hid_t creation, hid_t transfer)
{
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    access_list()));
	hid_t dataset = make(file, "field", SIDE, SIDE, creation);
	hsize_t at[2], size[2];

	tell("memory", memory("VmSize"));
	tell("early", (long long)H5Dget_storage_size(dataset));
	own_columns(at, size);
	write_part(dataset, at, size, transfer);
	good(H5Dclose(dataset));
	good(H5Fclose(file));
	reread(name, transfer);
}

void scene_field(const char *name)
{
	play_field(name, H5P_DEFAULT, H5P_DEFAULT);
}

void scene_columns(const char *name)
{
	play_field(name, H5P_DEFAULT, H5P_DEFAULT);
}

void scene_together(const char *name)
{
	play_field(name, H5P_DEFAULT, together());
}

/* The same from one place, however often; four chunks a rank. */
void scene_chunks(const char *name)
{
	play_field(name, chunked(SIDE / 4, SIDE / (hsize_t)program_ranks),
		   together());
}

static void tell_lists(hid_t access, hid_t creation, hid_t transfer)
{
	hsize_t threshold = 0, alignment = 0, sides[2] = { 0, 0 };
	size_t slots = 0, bytes = 0;
	double w0 = 0;
	int none = 0;

	good(H5Pget_alignment(access, &threshold, &alignment));
	tell("list_alignment", (long long)alignment);
	good(H5Pget_cache(access, &none, &slots, &bytes, &w0));
	tell("list_slots", (long long)slots);
	good(H5Pget_chunk(creation, 2, sides));
	tell("list_chunk", (long long)sides[0]);
	tell("list_filters", H5Pget_nfilters(creation));
	tell("list_buffer", (long long)H5Pget_buffer(transfer, NULL, NULL));
}

/* Lists of its own, which it looks at before and after. */
void scene_own(const char *name)
{
	hid_t access = access_list(), creation = chunked(16, 16), file;
	hid_t transfer = good(H5Pcreate(H5P_DATASET_XFER)), dataset;
	hsize_t at[2], size[2];

	if (access == H5P_DEFAULT)
		access = good(H5Pcreate(H5P_FILE_ACCESS));
	good(H5Pset_alignment(access, 1, 512));
	file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access));
	dataset = make(file, "field", SIDE, SIDE, creation);
	own_columns(at, size);
	write_part(dataset, at, size, transfer);
	tell_lists(access, creation, transfer);
	good(H5Dclose(dataset));
	good(H5Fclose(file));
	reread(name, transfer);
}

/* A file that must be new, twice: the second time it is not. */
void scene_once(const char *name)
{
	hid_t file = H5Fcreate(name, H5F_ACC_EXCL, H5P_DEFAULT, access_list());

	tell("first", file >= 0);
	if (file >= 0)
		H5Fclose(file);
	H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	file = H5Fcreate(name, H5F_ACC_EXCL, H5P_DEFAULT, access_list());
	tell("second", file >= 0);
	tell("errors", (long long)H5Eget_num(H5E_DEFAULT));
}

/* Calls that fail with and without a plan; errors are printed, and stay. */
void scene_fails(const char *name)
{
	hid_t file = H5Fopen("there is none", H5F_ACC_RDONLY, access_list());

	tell("opened", file >= 0);
	tell("errors", (long long)H5Eget_num(H5E_DEFAULT));
	file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
			      access_list()));
	tell("errors_good", (long long)H5Eget_num(H5E_DEFAULT));
	tell("made", H5Dopen2(file, "nothing", H5P_DEFAULT) >= 0);
	tell("errors_dataset", (long long)H5Eget_num(H5E_DEFAULT));
	good(H5Fclose(file));
}

static void make_groups(const char *name, int count)
{
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    access_list()));

	for (int i = 0; i < count; i++) {
		char group[16];

		snprintf(group, sizeof(group), "g%d", i);
		good(H5Gclose(good(H5Gcreate2(file, group, H5P_DEFAULT,
					      H5P_DEFAULT, H5P_DEFAULT))));
	}
	good(H5Fclose(file));
}

/* More metadata than the cache holds in the beginning, and not so many. */
void scene_many(const char *name)
{
	make_groups(name, program_ranks > 1 ? 300 : 6000);
}

void scene_several(const char *name)
{
	make_groups(name, 2500);
}

void scene_small(const char *name)
{
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    access_list()));
	const hsize_t size[2] = { 5, 20 };

	for (int i = 0; i < 12; i++) {
		char dataset[16];
		hid_t id;

		snprintf(dataset, sizeof(dataset), "d%d", i);
		id = make(file, dataset, 5, 20, H5P_DEFAULT);
		write_part(id, corner, size, H5P_DEFAULT);
		tell("address", (long long)H5Dget_offset(id));
		good(H5Dclose(id));
	}
	good(H5Fclose(file));
}

/* A column of a contiguous dataset: many pieces, far from each other. */
void scene_sieve(const char *name)
{
	const hsize_t whole[2] = { 512, 512 }, part[2] = { 512, 8 };
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    access_list()));
	hid_t dataset = make(file, "field", 512, 512, H5P_DEFAULT);

	write_part(dataset, corner, whole, H5P_DEFAULT);
	good(H5Dclose(dataset));
	good(H5Fclose(file));
	file = good(H5Fopen(name, H5F_ACC_RDONLY, access_list()));
	dataset = good(H5Dopen2(file, "field", H5P_DEFAULT));
	tell("good", read_part(dataset, corner, part, H5P_DEFAULT));
	good(H5Dclose(dataset));
	good(H5Fclose(file));
}

/* Rows of a packed chunk that is larger than the cache for chunks. */
void scene_rows(const char *name)
{
	const hsize_t whole[2] = { 1024, 512 }, row[2] = { 1, 512 };
	hid_t list = chunked(1024, 512), file, dataset;
	bool is_good = true;

	good(H5Pset_deflate(list, 1));
	file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
	dataset = make(file, "field", 1024, 512, list);
	write_part(dataset, corner, whole, H5P_DEFAULT);
	good(H5Dclose(dataset));
	good(H5Fclose(file));
	file = good(H5Fopen(name, H5F_ACC_RDONLY, access_list()));
	dataset = good(H5Dopen2(file, "field", H5P_DEFAULT));
	for (hsize_t i = 0; i < 64; i++) {
		const hsize_t at[2] = { i, 0 };

		is_good &= read_part(dataset, at, row, H5P_DEFAULT);
	}
	tell("good", is_good);
	good(H5Dclose(dataset));
	good(H5Fclose(file));
}

/* Datasets with names of several kinds, and one without. */
void scene_sets(const char *name)
{
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    access_list()));
	hid_t group = good(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT,
				      H5P_DEFAULT));
	hsize_t dims[2] = { 64, 64 };
	hid_t space = good(H5Screate_simple(2, dims, NULL));
	hid_t made[3] = {
		make(file, "field", 64, 64, H5P_DEFAULT),
		make(group, "inner", 64, 64, H5P_DEFAULT),
		good(H5Dcreate_anon(file, H5T_NATIVE_INT, space, H5P_DEFAULT,
				    H5P_DEFAULT)),
	};

	for (int i = 0; i < 3; i++) {
		hid_t list = good(H5Dget_create_plist(made[i]));

		tell("layout", H5Pget_layout(list));
		good(H5Pclose(list));
		good(H5Dclose(made[i]));
	}
	good(H5Gclose(group));
	good(H5Fclose(file));
}

/* Small enough for one transfer after another. */
void scene_idle(const char *name)
{
	hid_t file = good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT,
				    access_list()));
	hid_t dataset = make(file, "field", 8, 8, H5P_DEFAULT);
	const hsize_t size[2] = { 8, 8 };

	for (int i = 0; i < 100; i++)
		write_part(dataset, corner, size, H5P_DEFAULT);
	good(H5Dclose(dataset));
	good(H5Fclose(file));
}
