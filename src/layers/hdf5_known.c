/* SPDX-License-Identifier: BSD-3-Clause */
/* How files were opened, for who applies a plan to what is in them. */
#include "layers/hdf5_known.h"

#include "base/hash.h"

#include <stdatomic.h>
#include <string.h>

#define FILES 256

/*
 * By name: the ids of a file are several, and to ask an open one for the list
 * it was opened with is a collective call of MPI.
 */
static struct {
	_Atomic uint64_t key;
	_Atomic uint64_t how; /* ranks, and flags below them */
} files[FILES];

static _Atomic uint32_t written;

enum { SHARED = 1, WRITABLE = 2, OLDEST = 4, RANKS_SHIFT = 3 };

static uint64_t key_of(const struct weir_hdf5_library *lib, const char *file)
{
	return weir_hash_bytes(file, strlen(file)) ^ lib->number;
}

/* Backwards: a file may have been opened otherwise since. */
static int place_of(uint64_t key)
{
	uint32_t last = atomic_load(&written);

	for (uint32_t i = 0; i < FILES && i < last; i++) {
		uint32_t at = (last - 1 - i) % FILES;

		if (atomic_load(&files[at].key) == key)
			return (int)at;
	}
	return -1;
}

void weir_hdf5_known_put(struct weir_hdf5_library *lib, const char *file,
			 const struct weir_hdf5_known *known)
{
	uint64_t key = key_of(lib, file);
	uint64_t how = (uint64_t)known->ranks << RANKS_SHIFT |
		       (known->is_shared ? SHARED : 0) |
		       (known->is_writable ? WRITABLE : 0) |
		       (known->is_oldest ? OLDEST : 0);
	int at = place_of(key);

	if (at < 0)
		at = (int)(atomic_fetch_add(&written, 1) % FILES);
	atomic_store(&files[at].key, 0);
	atomic_store(&files[at].how, how);
	atomic_store(&files[at].key, key);
}

bool weir_hdf5_known_get(struct weir_hdf5_library *lib, const char *file,
			 struct weir_hdf5_known *ret_known)
{
	int at = place_of(key_of(lib, file));
	uint64_t how;

	if (at < 0)
		return false;
	how = atomic_load(&files[at].how);
	ret_known->is_shared = how & SHARED;
	ret_known->is_writable = how & WRITABLE;
	ret_known->is_oldest = how & OLDEST;
	ret_known->ranks = (uint32_t)(how >> RANKS_SHIFT);
	return true;
}
