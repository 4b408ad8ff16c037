/* SPDX-License-Identifier: BSD-3-Clause */
/* Named arrays in an HDF5 file. */
#include "h5.h"
#include "store.h"

#include <stdlib.h>
#include <string.h>

struct kernel_store {
	struct kernel_h5 h5;
	struct kernel_h5_manner manner;
	struct kernel_store_told told;
};

const char *kernel_store_refuse(enum kernel_store_mode mode)
{
	return mode == KERNEL_STORE_POSTED ? "HDF5 has no posted transfers"
					   : NULL;
}

struct kernel_store *kernel_store_create(struct kernel_run *run,
					 const char *path,
					 enum kernel_store_mode mode)
{
	struct kernel_store *store = kernel_memory(run, sizeof(*store));
	const char *given = run->path;

	memset(store, 0, sizeof(*store));
	store->manner.collective = mode == KERNEL_STORE_COLLECTIVE;
	run->path = path;
	kernel_h5_create(&store->h5, run, &store->manner);
	run->path = given;
	return store;
}

void kernel_store_tell(struct kernel_store *store,
		       const struct kernel_array *array,
		       const struct kernel_block *block)
{
	store->told.arrays[store->told.count] = *array;
	store->told.blocks[store->told.count++] = *block;
}

void kernel_store_note(struct kernel_store *store, const char *name,
		       const char *text)
{
	struct kernel_run *run = store->h5.run;
	hid_t space, type, note;

	kernel_start(run);
	space = H5Screate(H5S_SCALAR);
	type = H5Tcopy(H5T_C_S1);
	H5Tset_size(type, strlen(text) + 1);
	note = kernel_h5_sure(run,
			      H5Acreate2(store->h5.file, name, type, space,
					 H5P_DEFAULT, H5P_DEFAULT),
			      "create an attribute");
	kernel_h5_sure(run, H5Awrite(note, type, text), "write an attribute");
	H5Aclose(note);
	H5Tclose(type);
	H5Sclose(space);
	kernel_stop(run, KERNEL_WRITE);
}

void kernel_store_write(struct kernel_store *store, int i, const void *data)
{
	kernel_h5_write(&store->h5, store->h5.file, &store->told.arrays[i],
			&store->told.blocks[i], data);
}

void kernel_store_close(struct kernel_store *store)
{
	kernel_h5_close(&store->h5);
	free(store);
}

void kernel_store_check(struct kernel_run *run, const char *path,
			const struct kernel_store_told *told)
{
	const char *given = run->path;

	run->path = path;
	for (int i = 0; i < told->count; i++)
		kernel_h5_check(run, &told->arrays[i], told->arrays[i].what);
	run->path = given;
}
