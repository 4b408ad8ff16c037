/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 as kernels use it: one shared file, arrays of up to four dimensions. */
#include "h5.h"

#include <mpi.h>
#include <stdlib.h>

#define CHECKED_ROWS (UINT64_C(1) << 20) /* elements read at a time */

hid_t kernel_h5_sure(const struct kernel_run *run, hid_t result,
		     const char *what)
{
	if (result < 0)
		kernel_fail(run, "HDF5 cannot %s", what);
	return result;
}

static hid_t type_of(const struct kernel_array *array)
{
	if (array->width == KERNEL_I32)
		return H5T_NATIVE_INT32;
	return array->width == KERNEL_F32 ? H5T_NATIVE_FLOAT
					  : H5T_NATIVE_DOUBLE;
}

static hid_t access_list(const struct kernel_run *run,
			 const struct kernel_h5_manner *manner)
{
	hid_t list = kernel_h5_sure(run, H5Pcreate(H5P_FILE_ACCESS),
				    "make an access list");

	kernel_h5_sure(run,
		       H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL),
		       "use MPI-IO");
	if (manner->alignment)
		kernel_h5_sure(run,
			       H5Pset_alignment(list, manner->threshold,
						manner->alignment),
			       "align objects");
	return list;
}

static void set_transfer(struct kernel_h5 *h5,
			 const struct kernel_h5_manner *manner)
{
	h5->transfer = kernel_h5_sure(h5->run, H5Pcreate(H5P_DATASET_XFER),
				      "make a transfer list");
	kernel_h5_sure(h5->run,
		       H5Pset_dxpl_mpio(h5->transfer,
					manner->collective
						? H5FD_MPIO_COLLECTIVE
						: H5FD_MPIO_INDEPENDENT),
		       "set the transfer mode");
}

/* What opening and creating have in common. */
static void begin(struct kernel_h5 *h5, struct kernel_run *run,
		  const struct kernel_h5_manner *manner, bool anew)
{
	hid_t list;

	h5->run = run;
	h5->manner = manner;
	kernel_start(run);
	list = access_list(run, manner);
	h5->file = kernel_h5_sure(
		run,
		anew ? H5Fcreate(run->path, H5F_ACC_TRUNC, H5P_DEFAULT, list)
		     : H5Fopen(run->path, H5F_ACC_RDONLY, list),
		anew ? "create the file" : "open the file");
	H5Pclose(list);
	set_transfer(h5, manner);
	kernel_stop(run, KERNEL_OPEN);
}

void kernel_h5_create(struct kernel_h5 *h5, struct kernel_run *run,
		      const struct kernel_h5_manner *manner)
{
	begin(h5, run, manner, true);
}

void kernel_h5_open(struct kernel_h5 *h5, struct kernel_run *run,
		    const struct kernel_h5_manner *manner)
{
	begin(h5, run, manner, false);
}

void kernel_h5_close(struct kernel_h5 *h5)
{
	kernel_start(h5->run);
	H5Pclose(h5->transfer);
	kernel_h5_sure(h5->run, H5Fclose(h5->file), "close the file");
	kernel_stop(h5->run, KERNEL_CLOSE);
}

/* The block in the file and in memory; an empty one selects nothing. */
static void select_block(const struct kernel_h5 *h5, hid_t space,
			 const struct kernel_block *block, hid_t *ret_memory)
{
	hsize_t count = kernel_block_elements(block);

	*ret_memory = kernel_h5_sure(h5->run,
				     H5Screate_simple(1, &count, NULL),
				     "make a space");
	if (!count)
		H5Sselect_none(space);
	else
		kernel_h5_sure(h5->run,
			       H5Sselect_hyperslab(space, H5S_SELECT_SET,
						   block->start, NULL,
						   block->count, NULL),
			       "select a block");
}

static hid_t creation_list(const struct kernel_h5 *h5, int dims)
{
	hid_t list = kernel_h5_sure(h5->run, H5Pcreate(H5P_DATASET_CREATE),
				    "make a creation list");

	if (h5->manner->chunk[0])
		kernel_h5_sure(h5->run,
			       H5Pset_chunk(list, dims, h5->manner->chunk),
			       "set the chunks' size");
	return list;
}

void kernel_h5_write(struct kernel_h5 *h5, hid_t group,
		     const struct kernel_array *array,
		     const struct kernel_block *block, const void *data)
{
	hid_t space, memory, set, list;

	kernel_start(h5->run);
	space = kernel_h5_sure(h5->run,
			       H5Screate_simple(block->dims, block->whole,
						NULL),
			       "make a space");
	list = creation_list(h5, block->dims);
	set = kernel_h5_sure(h5->run,
			     H5Dcreate2(group, array->what, type_of(array),
					space, H5P_DEFAULT, list, H5P_DEFAULT),
			     "create a dataset");
	select_block(h5, space, block, &memory);
	kernel_h5_sure(h5->run,
		       H5Dwrite(set, type_of(array), memory, space,
				h5->transfer, data),
		       "write a dataset");
	H5Sclose(memory);
	H5Sclose(space);
	H5Pclose(list);
	kernel_h5_sure(h5->run, H5Dclose(set), "close a dataset");
	kernel_stop(h5->run, KERNEL_WRITE);
	h5->run->bytes += kernel_array_bytes(array, kernel_block_elements(block));
}

/* Of a chunked dataset: rows of its slowest dimension, dealt to the ranks. */
static void check_rows(struct kernel_run *run, hid_t set,
		       const struct kernel_array *array)
{
	hid_t space = kernel_h5_sure(run, H5Dget_space(set), "get a space");
	hsize_t whole[KERNEL_DIMS], start[KERNEL_DIMS] = { 0 };
	int dims = H5Sget_simple_extent_dims(space, whole, NULL);
	hsize_t row = dims > 0 && whole[0] ? array->count / whole[0] : 0;
	hsize_t rows = row && row < CHECKED_ROWS ? CHECKED_ROWS / row : 1;
	void *data = kernel_memory(run, rows * row * sizeof(double));
	hsize_t turn = 0;

	for (start[0] = 0; row && start[0] < whole[0]; start[0] += rows) {
		hsize_t count[KERNEL_DIMS], n;
		hid_t memory;

		if (turn++ % (hsize_t)run->ranks != (hsize_t)run->rank)
			continue;
		for (int i = 0; i < dims; i++)
			count[i] = whole[i];
		count[0] = whole[0] - start[0] < rows ? whole[0] - start[0]
						      : rows;
		n = count[0] * row;
		memory = H5Screate_simple(1, &n, NULL);
		H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count,
				    NULL);
		kernel_h5_sure(run,
			       H5Dread(set, type_of(array), memory, space,
				       H5P_DEFAULT, data),
			       "read a dataset");
		H5Sclose(memory);
		kernel_array_compare(run, array, start[0] * row, n, data);
	}
	free(data);
	H5Sclose(space);
}

void kernel_h5_check(struct kernel_run *run, const struct kernel_array *array,
		     const char *name)
{
	hid_t file = kernel_h5_sure(run,
				    H5Fopen(run->path, H5F_ACC_RDONLY,
					    H5P_DEFAULT),
				    "open the file to check it");
	hid_t set = kernel_h5_sure(run, H5Dopen2(file, name, H5P_DEFAULT),
				   "open a dataset");
	haddr_t offset = H5Dget_offset(set);

	if (offset == HADDR_UNDEF)
		check_rows(run, set, array);
	else
		kernel_array_check(run, array, run->path, offset);
	H5Dclose(set);
	H5Fclose(file);
}
