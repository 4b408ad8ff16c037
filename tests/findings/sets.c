/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Works with HDF5, by itself or in ranks. usage: sets WAY COUNT SIZE [WAY...]
 *
 * many: COUNT datasets of SIZE bytes; slabs: one, of which COUNT parts of SIZE
 * bytes are written; chunks: parts of SIZE bytes read from chunks in turns;
 * cached: with a cache that holds all chunks.
 * In ranks: together: COUNT collective writes of SIZE bytes each, which need
 * no conversion; broken: which do; gathered: collective reads; apart: each rank
 * writes for itself.
 */
#include <hdf5.h>
#ifdef H5_HAVE_PARALLEL
#include <mpi.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 << 10, CHUNKS = 8 };

static char buffer[CHUNK * CHUNKS];
static int rank, ranks = 1;

struct work {
	hid_t file, how;
	int count;
	hsize_t size;
};

/* A dataset of bytes, or of numbers of that many bytes each. */
static hid_t make_set(const struct work *work, const char *name,
		      hsize_t bytes, hid_t type)
{
	hsize_t length = bytes / H5Tget_size(type);
	hid_t space = H5Screate_simple(1, &length, NULL);
	hid_t set = H5Dcreate2(work->file, name, type, space, H5P_DEFAULT,
			       H5P_DEFAULT, H5P_DEFAULT);

	H5Sclose(space);
	return set;
}

typedef herr_t mover(hid_t set, hid_t type, hid_t memory, hid_t space,
		     hid_t how, void *data);

static herr_t put(hid_t set, hid_t type, hid_t memory, hid_t space, hid_t how,
		  void *data)
{
	return H5Dwrite(set, type, memory, space, how, data);
}

/* Part of a set, by its first element; the type is that of memory. */
static void move_part(const struct work *work, hid_t set, hid_t type,
		      hsize_t first, mover *move)
{
	hsize_t count = work->size / H5Tget_size(type);
	hid_t space = H5Dget_space(set);
	hid_t memory = H5Screate_simple(1, &count, NULL);

	H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL);
	if (move(set, type, memory, space, work->how, buffer) < 0)
		exit(1);
	H5Sclose(memory);
	H5Sclose(space);
}

static void do_many(const struct work *work)
{
	char name[24];

	for (int i = 0; i < work->count; i++) {
		hid_t set;

		snprintf(name, sizeof(name), "s%d", i);
		set = make_set(work, name, work->size, H5T_NATIVE_CHAR);
		H5Dwrite(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT,
			 buffer);
		H5Dclose(set);
	}
}

static void do_slabs(const struct work *work)
{
	hid_t set = make_set(work, "slabs", work->size * (hsize_t)work->count,
			     H5T_NATIVE_CHAR);

	for (int i = 0; i < work->count; i++)
		move_part(work, set, H5T_NATIVE_CHAR, work->size * (hsize_t)i,
			  put);
	H5Dclose(set);
}

/* More chunks than the usual cache holds: each part brings in a whole one. */
static void read_chunks(const struct work *work, hid_t access)
{
	hsize_t length = sizeof(buffer), chunk = CHUNK;
	hid_t list = H5Pcreate(H5P_DATASET_CREATE);
	hid_t space = H5Screate_simple(1, &length, NULL), set;

	H5Pset_chunk(list, 1, &chunk);
	set = H5Dcreate2(work->file, "chunks", H5T_NATIVE_CHAR, space,
			 H5P_DEFAULT, list, access);
	H5Dwrite(set, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
	for (int i = 0; i < work->count; i++)
		move_part(work, set, H5T_NATIVE_CHAR,
			  (hsize_t)(i % CHUNKS) * CHUNK, H5Dread);
	H5Dclose(set);
	H5Sclose(space);
	H5Pclose(list);
}

static void do_chunks(const struct work *work)
{
	read_chunks(work, H5P_DEFAULT);
}

static void do_cached(const struct work *work)
{
	hid_t access = H5Pcreate(H5P_DATASET_ACCESS);

	H5Pset_chunk_cache(access, 521, 2 * sizeof(buffer), 0.75);
	read_chunks(work, access);
	H5Pclose(access);
}

/* One part of each rank at a time, by numbers of four bytes or of eight. */
static void do_ranks(const struct work *work, hid_t type, mover *move)
{
	size_t wide = H5Tget_size(type);
	hsize_t each = work->size / wide;
	hid_t set = make_set(work, "ranks",
			     8 * each * (hsize_t)(ranks * work->count),
			     H5T_NATIVE_DOUBLE);

	for (int i = 0; i < work->count; i++)
		move_part(work, set, type,
			  each * (hsize_t)(i * ranks + rank), move);
	H5Dclose(set);
}

static void do_together(const struct work *work)
{
	do_ranks(work, H5T_NATIVE_DOUBLE, put);
}

static void do_apart(const struct work *work)
{
	struct work own = *work;

	own.how = H5P_DEFAULT;
	do_ranks(&own, H5T_NATIVE_DOUBLE, put);
}

static void do_broken(const struct work *work)
{
	do_ranks(work, H5T_NATIVE_FLOAT, put);
}

static void do_gathered(const struct work *work)
{
	do_ranks(work, H5T_NATIVE_DOUBLE, H5Dread);
}

static const struct {
	const char *name;
	void (*act)(const struct work *work);
} ways[] = {
	{ "many", do_many },	     { "slabs", do_slabs },
	{ "chunks", do_chunks },     { "cached", do_cached },
	{ "together", do_together }, { "broken", do_broken },
	{ "gathered", do_gathered }, { "apart", do_apart },
};

static void do_work(const char *way, struct work *work)
{
	char name[32];
	hid_t access = H5Pcreate(H5P_FILE_ACCESS);

	work->how = H5Pcreate(H5P_DATASET_XFER);
#ifdef H5_HAVE_PARALLEL
	H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
	H5Pset_dxpl_mpio(work->how, H5FD_MPIO_COLLECTIVE);
#endif
	snprintf(name, sizeof(name), "%s.h5", way);
	work->file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(ways[i].name, way))
			ways[i].act(work);
	H5Fclose(work->file);
	H5Pclose(work->how);
	H5Pclose(access);
}

int main(int argc, char **argv)
{
#ifdef H5_HAVE_PARALLEL
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#endif
	for (int i = 1; i + 2 < argc; i += 3) {
		struct work work = { .count = atoi(argv[i + 1]),
				     .size = (hsize_t)atol(argv[i + 2]) };

		do_work(argv[i], &work);
	}
#ifdef H5_HAVE_PARALLEL
	MPI_Finalize();
#endif
	return 0;
}
