/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a dataset that is stored by compressed rows, one process. */
#include "data.h"

#include <hdf5.h>
#include <stdlib.h>

enum { ROWS, WIDTH, CHUNK, DEFLATE, TAKE, CACHE, PART };

static struct kernel_option options[] = {
	[ROWS] = { "rows", "N", "of the dataset", KERNEL_NUMBER, 512, 1,
		   1 << 24 },
	[WIDTH] = { "width", "N", "doubles of a row", KERNEL_NUMBER, 2048, 1,
		    1 << 24 },
	[CHUNK] = { "chunk", "N", "rows of a chunk, which are as wide as the "
		    "dataset", KERNEL_NUMBER, 64, 1, 1 << 20 },
	[DEFLATE] = { "deflate", "LEVEL", "of compression; 0: none",
		      KERNEL_NUMBER, 1, 0, 9 },
	[TAKE] = { "take", "N", "columns read at a time", KERNEL_NUMBER, 64, 1,
		   1 << 24 },
	[CACHE] = { "cache", "BYTES", "for chunks; 0: as the library has it",
		    KERNEL_NUMBER, 0, 0, INT64_C(1) << 36 },
	[PART] = { "part", "both|write|read", "of the work", KERNEL_CHOICE },
	{ 0 },
};

static hsize_t value_of(int option)
{
	return (hsize_t)options[option].number;
}

static const char *refuse(const struct kernel_run *run)
{
	if (run->ranks > 1)
		return "this is for one process";
	if (value_of(CHUNK) > value_of(ROWS) || value_of(TAKE) > value_of(WIDTH))
		return "a chunk or what is taken is larger than the dataset";
	return NULL;
}

static hid_t sure(const struct kernel_run *run, hid_t result, const char *what)
{
	if (result < 0)
		kernel_fail(run, "HDF5 cannot %s", what);
	return result;
}

static struct kernel_array table(void)
{
	return (struct kernel_array){
		.what = "table",
		.width = KERNEL_F64,
		.count = value_of(ROWS) * value_of(WIDTH),
	};
}

/* Rows or columns of the table, as one transfer. */
static struct kernel_block window(hsize_t row, hsize_t rows, hsize_t column,
				  hsize_t columns)
{
	return (struct kernel_block){
		.dims = 2,
		.whole = { value_of(ROWS), value_of(WIDTH) },
		.start = { row, column },
		.count = { rows, columns },
	};
}

static void transfer(struct kernel_run *run, hid_t set,
		     const struct kernel_block *block, void *data, bool writing)
{
	hsize_t count = kernel_block_elements(block);
	hid_t memory = H5Screate_simple(1, &count, NULL);
	hid_t space = H5Dget_space(set);

	H5Sselect_hyperslab(space, H5S_SELECT_SET, block->start, NULL,
			    block->count, NULL);
	if (writing)
		sure(run,
		     H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space,
			      H5P_DEFAULT, data),
		     "write rows");
	else
		sure(run,
		     H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT,
			     data),
		     "read columns");
	H5Sclose(memory);
	H5Sclose(space);
	run->bytes += count * 8;
}

static hid_t create_table(struct kernel_run *run, hid_t file)
{
	hsize_t whole[] = { value_of(ROWS), value_of(WIDTH) };
	hsize_t chunk[] = { value_of(CHUNK), value_of(WIDTH) };
	hid_t space = H5Screate_simple(2, whole, NULL);
	hid_t list = H5Pcreate(H5P_DATASET_CREATE), set;

	H5Pset_chunk(list, 2, chunk);
	if (value_of(DEFLATE))
		sure(run, H5Pset_deflate(list, (unsigned)value_of(DEFLATE)),
		     "compress");
	set = sure(run,
		   H5Dcreate2(file, "table", H5T_NATIVE_DOUBLE, space,
			      H5P_DEFAULT, list, H5P_DEFAULT),
		   "create the dataset");
	H5Sclose(space);
	H5Pclose(list);
	return set;
}

static void write_rows(struct kernel_run *run)
{
	struct kernel_array array = table();
	void *data = kernel_memory(run, value_of(CHUNK) * value_of(WIDTH) * 8);
	hid_t file, set;

	kernel_start(run);
	file = sure(run,
		    H5Fcreate(run->path, H5F_ACC_TRUNC, H5P_DEFAULT,
			      H5P_DEFAULT),
		    "create the file");
	set = create_table(run, file);
	kernel_stop(run, KERNEL_OPEN);
	for (hsize_t row = 0; row < value_of(ROWS); row += value_of(CHUNK)) {
		hsize_t left = value_of(ROWS) - row;
		struct kernel_block block =
			window(row, left < value_of(CHUNK) ? left
							   : value_of(CHUNK),
			       0, value_of(WIDTH));

		kernel_block_fill(&block, &array, data);
		kernel_start(run);
		transfer(run, set, &block, data, true);
		kernel_stop(run, KERNEL_WRITE);
	}
	kernel_start(run);
	H5Dclose(set);
	sure(run, H5Fclose(file), "close the file");
	kernel_stop(run, KERNEL_CLOSE);
	free(data);
}

static void read_columns(struct kernel_run *run, bool comparing)
{
	struct kernel_array array = table();
	double *data = kernel_memory(run, value_of(ROWS) * value_of(TAKE) * 8);
	hid_t list = H5Pcreate(H5P_DATASET_ACCESS), file, set;

	kernel_start(run);
	if (value_of(CACHE))
		H5Pset_chunk_cache(list, H5D_CHUNK_CACHE_NSLOTS_DEFAULT,
				   value_of(CACHE), H5D_CHUNK_CACHE_W0_DEFAULT);
	file = sure(run, H5Fopen(run->path, H5F_ACC_RDONLY, H5P_DEFAULT),
		    "open the file");
	set = sure(run, H5Dopen2(file, "table", list), "open the dataset");
	kernel_stop(run, KERNEL_OPEN);
	for (hsize_t at = 0; at < value_of(WIDTH); at += value_of(TAKE)) {
		hsize_t left = value_of(WIDTH) - at;
		hsize_t take = left < value_of(TAKE) ? left : value_of(TAKE);
		struct kernel_block block = window(0, value_of(ROWS), at, take);

		kernel_start(run);
		transfer(run, set, &block, data, false);
		kernel_stop(run, KERNEL_READ);
		for (hsize_t row = 0; comparing && row < value_of(ROWS); row++)
			kernel_array_compare(run, &array,
					     row * value_of(WIDTH) + at, take,
					     data + row * take);
	}
	kernel_start(run);
	H5Dclose(set);
	H5Fclose(file);
	kernel_stop(run, KERNEL_CLOSE);
	H5Pclose(list);
	free(data);
}

static void act(struct kernel_run *run)
{
	if (value_of(PART) != 2)
		write_rows(run);
	if (value_of(PART) != 1)
		read_columns(run, false);
}

static void compare(struct kernel_run *run)
{
	read_columns(run, true);
}

struct kernel kernel = {
	.name = "columns",
	.summary = "Reads columns of a dataset that is stored by rows",
	.pattern =
		"One process, one HDF5 file, one dataset double [rows][width], "
		"in chunks of some\nwhole rows, compressed. It is written "
		"chunk by chunk, then read by columns, 64 at\na time: each "
		"read needs every chunk, and when the chunk cache is smaller "
		"than the\ndataset each is read and unpacked again for every "
		"64 columns.",
	.source = "the classic misfit of access and layout",
	.options = options,
	.refuse = refuse,
	.act = act,
	.compare = compare,
};
