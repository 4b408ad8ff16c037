/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers how files were opened, for plans that set what is in them. */
#include "layers/hdf5/hdf5_known.h"

#include "base/hash.h"

#include <stdatomic.h>
#include <string.h>

#define FILES 1024

/*
 * By name: the ids of a file are several, and to ask an open one for the list
 * it was opened with is a collective call of MPI. Files of several ranks are
 * apart: one rank that opens many others must not forget what the rest of
 * them know, and do alone what these do together.
 */
static struct shelf {
	_Atomic uint32_t written;
	struct {
		_Atomic uint64_t key;
		_Atomic uint64_t how; /* ranks, and flags below them */
	} files[FILES];
} shelves[2];

enum { SHARED = 1, WRITABLE = 2, OLDEST = 4, RANKS_SHIFT = 3 };

static uint64_t path_key(const struct weir_hdf5_library *lib, const char *file)
{
	return weir_hash_bytes(file, strlen(file)) ^ lib->number;
}

/* Backwards: the newest are asked for most. */
static int shelf_place(struct shelf *shelf, uint64_t key)
{
	uint32_t last = atomic_load(&shelf->written);

	for (uint32_t i = 0; i < FILES && i < last; i++) {
		uint32_t at = (last - 1 - i) % FILES;

		if (atomic_load(&shelf->files[at].key) == key)
			return (int)at;
	}
	return -1;
}

static void put_on_shelf(struct shelf *shelf, uint64_t key, uint64_t how)
{
	int at = shelf_place(shelf, key);

	if (at < 0)
		at = (int)(atomic_fetch_add(&shelf->written, 1) % FILES);
	atomic_store(&shelf->files[at].key, 0);
	atomic_store(&shelf->files[at].how, how);
	atomic_store(&shelf->files[at].key, key);
}

/* Of a file that is opened otherwise, the other shelf knows no more. */
void weir_hdf5_known_put(struct weir_hdf5_library *lib, const char *file,
			 const struct weir_hdf5_known *known)
{
	bool is_common = known->is_shared && known->ranks != 1;
	uint64_t key = path_key(lib, file);
	struct shelf *other = &shelves[!is_common];
	int old = shelf_place(other, key);

	if (old >= 0)
		atomic_store(&other->files[old].key, 0);
	put_on_shelf(&shelves[is_common], key,
		     (uint64_t)known->ranks << RANKS_SHIFT |
			     (known->is_shared ? SHARED : 0) |
			     (known->is_writable ? WRITABLE : 0) |
			     (known->is_oldest ? OLDEST : 0));
}

bool weir_hdf5_known_get(struct weir_hdf5_library *lib, const char *file,
			 struct weir_hdf5_known *ret_known)
{
	uint64_t key = path_key(lib, file), how;
	int at;

	for (int i = 1; i >= 0; i--) {
		at = shelf_place(&shelves[i], key);
		if (at < 0)
			continue;
		how = atomic_load(&shelves[i].files[at].how);
		ret_known->is_shared = how & SHARED;
		ret_known->is_writable = how & WRITABLE;
		ret_known->is_oldest = how & OLDEST;
		ret_known->ranks = (uint32_t)(how >> RANKS_SHIFT);
		return true;
	}
	return false;
}
