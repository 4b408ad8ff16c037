/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a copy of HDF5 in this process, and the functions we call. */
#ifndef WEIR_HDF5_HDF5_LIBRARY_H
#define WEIR_HDF5_HDF5_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEIR_HDF5_LIBRARIES 4

/* What H5Iget_type() says; the same in all versions. */
enum weir_hdf5_type {
	WEIR_HDF5_FILE = 1,
	WEIR_HDF5_GROUP = 2,
	WEIR_HDF5_DATATYPE = 3,
	WEIR_HDF5_DATASPACE = 4,
	WEIR_HDF5_DATASET = 5,
};

struct weir_hdf5_library {
	_Atomic int state;
	uint32_t number;	       /* from 1 */
	int attribute_type;	       /* what H5Iget_type() says of one */
	uintptr_t low, high;	       /* of its code, when it is of use */
	uintptr_t seen_low, seen_high; /* also when it is not */
	int (*libversion)(unsigned *, unsigned *, unsigned *);
	/* ids */
	int (*id_type)(long);
	int (*id_users)(long);
	long (*id_name)(long, char *, size_t);
	long (*file_name)(long, char *, size_t);
	long (*attribute_name)(long, size_t, char *);
	long (*attribute_space)(long);
	/* errors: neither does these clear what stands there */
	long (*error_number)(long);
	long (*error_take)(void);
	int (*error_put)(long);
	int (*error_is_v2)(long, unsigned *);
	int (*error_get2)(long, void **, void **);
	int (*error_set2)(long, void *, void *);
	int (*error_get1)(void **, void **);
	int (*error_set1)(void *, void *);
	/* dataspaces */
	int (*space_close)(long);
	int (*space_rank)(long);
	int (*space_dims)(long, uint64_t *, uint64_t *);
	int (*select_type)(long);
	long (*select_points)(long);
	int (*select_bounds)(long, uint64_t *, uint64_t *);
	int (*select_is_regular)(long);
	int (*select_regular)(long, uint64_t *, uint64_t *, uint64_t *,
			      uint64_t *);
	long (*select_blocks)(long);
	/* types, datasets, lists */
	size_t (*type_size)(long);
	long (*dataset_space)(long);
	long (*dataset_list)(long);
	uint64_t (*dataset_offset)(long);
	uint64_t (*dataset_storage)(long);
	int (*chunk_storage)(long, const void *, uint64_t *);
	int (*chunk_number)(long, long, uint64_t *);
	int (*chunk_info)(long, long, uint64_t, uint64_t *, unsigned *,
			  uint64_t *, uint64_t *);
	/* of a file that an object is in */
	long (*file_of)(long);
	int (*file_close)(long);
	long (*file_list)(long);
	int (*list_userblock)(long, uint64_t *);
	int (*list_close)(long);
	int (*list_layout)(long);
	int (*list_chunk)(long, int, uint64_t *);
	/* only where the library knows MPI */
	int (*list_transfer)(long, int *);
	int (*list_got)(long, int *);
	int (*list_cause)(long, uint32_t *, uint32_t *);
	/* event sets: operations in all, under way, and failed */
	void *plugin_name; /* NULL: it knows no plug-ins below it */
	int (*events_inserted)(long, uint64_t *);
	int (*events_left)(long, uint64_t *);
	int (*events_failed)(long, uint64_t *);
};

/*
 * The library that the function `next` is of; NULL: it is too old, lacks
 * something, or there are too many.
 */
struct weir_hdf5_library *weir_hdf5_library_find(const void *next);

static inline bool weir_hdf5_library_has(const struct weir_hdf5_library *lib,
					 const void *next)
{
	return (uintptr_t)next - lib->low < lib->high - lib->low;
}

/* One that was found before; the usual case. */
extern struct weir_hdf5_library weir_hdf5_libraries[WEIR_HDF5_LIBRARIES];

static inline struct weir_hdf5_library *weir_hdf5_library(const void *next)
{
	struct weir_hdf5_library *first = &weir_hdf5_libraries[0];

	if (weir_hdf5_library_has(first, next))
		return first;
	return weir_hdf5_library_find(next);
}

/* What tells apart the ids of two libraries. */
static inline uint64_t weir_hdf5_key(const struct weir_hdf5_library *lib,
				     long id)
{
	return (uint64_t)id ^ (uint64_t)lib->number << 48;
}

/*
 * Around calls of ours: nothing is printed, and the errors that the program
 * may still want to look at are there afterwards.
 */
struct weir_hdf5_hush {
	void *function, *data;
	long stack;
	unsigned is_v2;
	bool is_needless;
};

void weir_hdf5_hush(struct weir_hdf5_library *lib, struct weir_hdf5_hush *old);
void weir_hdf5_unhush(struct weir_hdf5_library *lib,
		      const struct weir_hdf5_hush *old);

/*
 * The same where nothing is refused, as ids are good, and no errors are kept:
 * the program's last call worked, or its next one comes and clears them. Only
 * a plug-in below the library may still refuse.
 */
void weir_hdf5_hush_good(struct weir_hdf5_library *lib,
			 struct weir_hdf5_hush *old);

/* The same of printing alone; what stands there stays. */
void weir_hdf5_mute(struct weir_hdf5_library *lib, struct weir_hdf5_hush *old);
void weir_hdf5_unmute(struct weir_hdf5_library *lib,
		      const struct weir_hdf5_hush *old);

#endif
