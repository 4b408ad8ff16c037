/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells the type that elements of datasets and attributes have in the file, for
 * digests: without gaps. Holds the functions of HDF5 that only this needs.
 */
#ifndef WEIR_HDF5_HDF5_KIND_H
#define WEIR_HDF5_HDF5_KIND_H

#include "layers/hdf5/hdf5_object.h"

#define WEIR_HDF5_FILL 256 /* the longest element of which we know a filler */

struct weir_hdf5_tools {
	long (*dataset_type)(long);
	long (*attribute_type)(long);
	int (*dataset_read)(long, long, long, long, long, void *);
	int (*attribute_read)(long, long, void *);
	long (*space_simple)(int, const uint64_t *, const uint64_t *);
	int (*type_class)(long);
	long (*type_copy)(long);
	int (*type_pack)(long);
	int (*type_equal)(long, long);
	int (*type_close)(long);
	int (*type_members)(long);
	long (*type_member)(long, unsigned);
	long (*type_super)(long);
	int (*type_is_variable)(long);
	int (*convert)(long, long, size_t, void *, void *, long);
	int (*list_fill)(long, long, void *);
	int (*list_has_fill)(long, int *);
	int (*list_filters)(long);
	int (*list_filter)(long, unsigned, unsigned *, size_t *, unsigned *,
			   size_t, char *, unsigned *);
	long (*list_transform)(long, char *, size_t);
};

/* Of one write. The library is hushed all the time. */
struct weir_hdf5_kind {
	const struct weir_hdf5_tools *tools;
	long packed;	    /* type in the file; to be closed; -1: none */
	uint64_t element;   /* its size */
	uint64_t in_memory; /* of an element as the program has it */
	bool is_same;	    /* in memory and in the file */
	bool has_fill;	    /* that is not zero */
	uint8_t fill[WEIR_HDF5_FILL];
};

/*
 * Looks at an object and the program's own type. False: such elements cannot
 * be followed. Either way weir_hdf5_kind_leave() comes after it.
 */
bool weir_hdf5_kind_meet(struct weir_hdf5_kind *kind,
			 struct weir_hdf5_object *object, long type);
void weir_hdf5_kind_leave(struct weir_hdf5_kind *kind);

#endif
