/* SPDX-License-Identifier: BSD-3-Clause */
/* Named arrays in a NetCDF file, by PnetCDF. */
#include "store.h"

#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kernel_store {
	struct kernel_run *run;
	int file;
	enum kernel_store_mode mode;
	bool defined;
	int variables[KERNEL_STORE_ARRAYS];
	struct kernel_store_told told;
};

static void sure(const struct kernel_run *run, int result, const char *what)
{
	if (result != NC_NOERR)
		kernel_fail(run, "PnetCDF cannot %s: %s", what,
			    ncmpi_strerror(result));
}

const char *kernel_store_refuse(enum kernel_store_mode mode)
{
	return NULL;
}

struct kernel_store *kernel_store_create(struct kernel_run *run,
					 const char *path,
					 enum kernel_store_mode mode)
{
	struct kernel_store *store = kernel_memory(run, sizeof(*store));

	memset(store, 0, sizeof(*store));
	store->run = run;
	store->mode = mode;
	kernel_start(run);
	sure(run,
	     ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA,
			  MPI_INFO_NULL, &store->file),
	     "create the file");
	kernel_stop(run, KERNEL_OPEN);
	return store;
}

static nc_type type_of(const struct kernel_array *array)
{
	static const nc_type types[] = {
		[KERNEL_I32] = NC_INT,
		[KERNEL_F32] = NC_FLOAT,
		[KERNEL_F64] = NC_DOUBLE,
	};

	return types[array->width];
}

static MPI_Datatype memory_type(const struct kernel_array *array)
{
	if (array->width == KERNEL_I32)
		return MPI_INT;
	return array->width == KERNEL_F32 ? MPI_FLOAT : MPI_DOUBLE;
}

/* The dimension of this length; each is told once. */
static int dimension(struct kernel_store *store, unsigned long long length)
{
	char name[32];
	int id;

	snprintf(name, sizeof(name), "d%llu", length);
	if (ncmpi_inq_dimid(store->file, name, &id) != NC_NOERR)
		sure(store->run,
		     ncmpi_def_dim(store->file, name, (MPI_Offset)length, &id),
		     "define a dimension");
	return id;
}

void kernel_store_tell(struct kernel_store *store,
		       const struct kernel_array *array,
		       const struct kernel_block *block)
{
	int dims[KERNEL_DIMS], i = store->told.count++;

	kernel_start(store->run);
	for (int d = 0; d < block->dims; d++)
		dims[d] = dimension(store, block->whole[d]);
	sure(store->run,
	     ncmpi_def_var(store->file, array->what, type_of(array),
			   block->dims, dims, &store->variables[i]),
	     "define a variable");
	store->told.arrays[i] = *array;
	store->told.blocks[i] = *block;
	kernel_stop(store->run, KERNEL_OPEN);
}

void kernel_store_note(struct kernel_store *store, const char *name,
		       const char *text)
{
	kernel_start(store->run);
	sure(store->run,
	     ncmpi_put_att_text(store->file, NC_GLOBAL, name,
				(MPI_Offset)strlen(text), text),
	     "write an attribute");
	kernel_stop(store->run, KERNEL_OPEN);
}

static void end_definitions(struct kernel_store *store)
{
	sure(store->run, ncmpi_enddef(store->file), "end the definitions");
	if (store->mode == KERNEL_STORE_INDEPENDENT)
		sure(store->run, ncmpi_begin_indep_data(store->file),
		     "begin independent transfers");
	store->defined = true;
}

static int put(struct kernel_store *store, int i, const void *data)
{
	const struct kernel_block *block = &store->told.blocks[i];
	const struct kernel_array *array = &store->told.arrays[i];
	MPI_Offset start[KERNEL_DIMS], count[KERNEL_DIMS];
	MPI_Offset all = (MPI_Offset)kernel_block_elements(block);
	MPI_Datatype type = memory_type(array);
	int variable = store->variables[i];

	for (int d = 0; d < block->dims; d++) {
		start[d] = (MPI_Offset)block->start[d];
		count[d] = (MPI_Offset)block->count[d];
	}
	if (store->mode == KERNEL_STORE_POSTED)
		return ncmpi_iput_vara(store->file, variable, start, count,
				       data, all, type, NULL);
	return (store->mode == KERNEL_STORE_COLLECTIVE ? ncmpi_put_vara_all
						       : ncmpi_put_vara)(
		store->file, variable, start, count, data, all, type);
}

void kernel_store_write(struct kernel_store *store, int i, const void *data)
{
	kernel_start(store->run);
	if (!store->defined)
		end_definitions(store);
	sure(store->run, put(store, i, data), "write an array");
	kernel_stop(store->run, KERNEL_WRITE);
	store->run->bytes +=
		kernel_array_bytes(&store->told.arrays[i],
				   kernel_block_elements(
					   &store->told.blocks[i]));
}

void kernel_store_close(struct kernel_store *store)
{
	if (store->mode == KERNEL_STORE_POSTED) {
		kernel_start(store->run);
		sure(store->run,
		     ncmpi_wait_all(store->file, NC_REQ_ALL, NULL, NULL),
		     "wait for the transfers");
		kernel_stop(store->run, KERNEL_WRITE);
	}
	kernel_start(store->run);
	if (store->mode == KERNEL_STORE_INDEPENDENT && store->defined)
		sure(store->run, ncmpi_end_indep_data(store->file),
		     "end independent transfers");
	sure(store->run, ncmpi_close(store->file), "close the file");
	kernel_stop(store->run, KERNEL_CLOSE);
	free(store);
}

/* NetCDF's numbers are big-endian; the library tells only where they are. */
void kernel_store_check(struct kernel_run *run, const char *path,
			const struct kernel_store_told *told)
{
	int file, variable;

	sure(run,
	     ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &file),
	     "open the file to check it");
	for (int i = 0; i < told->count; i++) {
		struct kernel_array array = told->arrays[i];
		MPI_Offset offset;

		array.big_endian = true;
		sure(run, ncmpi_inq_varid(file, array.what, &variable),
		     "find a variable");
		sure(run, ncmpi_inq_varoffset(file, variable, &offset),
		     "find a variable's place");
		kernel_array_check(run, &array, path, (uint64_t)offset);
	}
	sure(run, ncmpi_close(file), "close the file");
}
