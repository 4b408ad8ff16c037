/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows the files, datasets, groups and attributes that are open. */
#ifndef WEIR_HDF5_HDF5_OBJECT_H
#define WEIR_HDF5_HDF5_OBJECT_H

#include "layers/hdf5/hdf5.h"
#include "layers/hdf5/hdf5_library.h"

/* What H5Pget_layout() says. */
enum { WEIR_HDF5_CONTIGUOUS = 1, WEIR_HDF5_CHUNKED = 2 };

struct weir_hdf5_object {
	uint64_t key;
	long id;
	struct weir_hdf5_library *library;
	uint32_t handle; /* 0: it has none yet */
	uint32_t crowd;	 /* the ranks that share its file; 0: none */
	uint64_t file;	 /* hash of its file's name */
	int type;	 /* enum weir_hdf5_type, or another */
	bool nameless;	 /* its path is not known, and costs I/O */
	bool anonymous;	 /* it has none yet */
	bool learned;	 /* what follows, of a dataset */
	bool extendible;
	bool written;
	uint8_t layout;
	int rank;
	uint32_t extents; /* when its shape was learned */
	uint64_t dims[WEIR_HDF5_RANK], chunk[WEIR_HDF5_RANK];
	uint64_t points; /* of an attribute; 0: not known */
	uint64_t name;	 /* hash of its file's name and its path */
	/* of sums of what is written: hdf5_digest.c */
	bool is_summed, is_shaped;
	uint64_t summed[WEIR_HDF5_RANK]; /* shape at the last write */
	char shape[WEIR_HDF5_TEXT];
};

/* NULL: not known. */
struct weir_hdf5_object *weir_hdf5_object_find(struct weir_hdf5_library *lib,
					       long id);

/*
 * After the call that made the id, or the first that we saw of it. How it is
 * called is asked of the library, or made of `from`'s file and `name` where
 * that would cost I/O. NULL: there is no room.
 */
struct weir_hdf5_object *
weir_hdf5_object_meet(struct weir_layer *on, struct weir_hdf5_library *lib,
		      long id, const struct weir_hdf5_object *from,
		      const char *name);

/* Whether what was anonymous has a name, and so another handle, now. */
bool weir_hdf5_object_rename(struct weir_layer *on,
			     struct weir_hdf5_object *object);

/* Its id may be closed; forget it if so. */
void weir_hdf5_object_leave(struct weir_hdf5_object *object);

/* All of a library. */
void weir_hdf5_object_forget(struct weir_hdf5_library *lib);

/*
 * Shape and layout of a dataset whose id is good, asked once. False: not a
 * dataset.
 */
bool weir_hdf5_object_learn(struct weir_hdf5_object *object);

/* A dataset has another shape now; there may be several ids of it. */
void weir_hdf5_object_extend(struct weir_hdf5_object *object);

#endif
