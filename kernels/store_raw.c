/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays one after the other in a file, by MPI-IO alone. */
#include "mpio.h"
#include "store.h"

#include <stdlib.h>
#include <string.h>

struct kernel_store {
	struct kernel_run *run;
	MPI_File file;
	enum kernel_store_mode mode;
	struct kernel_store_told told;
};

const char *kernel_store_refuse(enum kernel_store_mode mode)
{
	return mode == KERNEL_STORE_POSTED ? "only PnetCDF has posted transfers"
					   : NULL;
}

struct kernel_store *kernel_store_create(struct kernel_run *run,
					 const char *path,
					 enum kernel_store_mode mode)
{
	struct kernel_store *store = kernel_memory(run, sizeof(*store));

	memset(store, 0, sizeof(*store));
	store->run = run;
	store->mode = mode;
	store->file = kernel_mpio_create(run, path);
	return store;
}

void kernel_store_tell(struct kernel_store *store,
		       const struct kernel_array *array,
		       const struct kernel_block *block)
{
	store->told.arrays[store->told.count] = *array;
	store->told.blocks[store->told.count++] = *block;
}

/* A plain file has no place for notes. */
void kernel_store_note(struct kernel_store *store, const char *name,
		       const char *text)
{
}

static uint64_t offset_of(const struct kernel_store_told *told, int i)
{
	uint64_t offset = 0;

	while (i--)
		offset += kernel_array_bytes(&told->arrays[i],
					     told->arrays[i].count);
	return offset;
}

static MPI_Datatype view_of(const struct kernel_store *store, int i)
{
	const struct kernel_block *block = &store->told.blocks[i];
	int whole[KERNEL_DIMS], count[KERNEL_DIMS], start[KERNEL_DIMS];
	MPI_Datatype element, view;

	for (int d = 0; d < block->dims; d++) {
		whole[d] = (int)block->whole[d];
		count[d] = (int)block->count[d];
		start[d] = (int)block->start[d];
	}
	MPI_Type_contiguous((int)kernel_array_bytes(&store->told.arrays[i], 1),
			    MPI_BYTE, &element);
	MPI_Type_create_subarray(block->dims, whole, count, start, MPI_ORDER_C,
				 element, &view);
	MPI_Type_commit(&view);
	MPI_Type_free(&element);
	return view;
}

void kernel_store_write(struct kernel_store *store, int i, const void *data)
{
	uint64_t bytes = kernel_array_bytes(
		&store->told.arrays[i],
		kernel_block_elements(&store->told.blocks[i]));
	MPI_Datatype view = view_of(store, i);

	kernel_start(store->run);
	kernel_mpio_sure(store->run,
			 MPI_File_set_view(store->file,
					   (MPI_Offset)offset_of(&store->told,
								 i),
					   MPI_BYTE, view, "native",
					   MPI_INFO_NULL),
			 "set the view");
	kernel_mpio_sure(store->run,
			 (store->mode == KERNEL_STORE_COLLECTIVE
				  ? MPI_File_write_all
				  : MPI_File_write)(store->file, data,
						    (int)bytes, MPI_BYTE,
						    MPI_STATUS_IGNORE),
			 "write an array");
	kernel_stop(store->run, KERNEL_WRITE);
	MPI_Type_free(&view);
	store->run->bytes += bytes;
}

void kernel_store_close(struct kernel_store *store)
{
	kernel_mpio_close(store->run, &store->file);
	free(store);
}

void kernel_store_check(struct kernel_run *run, const char *path,
			const struct kernel_store_told *told)
{
	for (int i = 0; i < told->count; i++)
		kernel_array_check(run, &told->arrays[i], path,
				   offset_of(told, i));
}
