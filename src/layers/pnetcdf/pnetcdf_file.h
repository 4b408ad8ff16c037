/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows PnetCDF's open files and their variables. */
#ifndef WEIR_PNETCDF_PNETCDF_FILE_H
#define WEIR_PNETCDF_PNETCDF_FILE_H

#include "capture/layer.h"
#include "layers/pnetcdf/pnetcdf_select.h"

#include <stdint.h>

#define WEIR_PNETCDF_FILES 1024 /* NC_MAX_NFILES: ids are below it */

struct weir_pnetcdf_file {
	uint32_t handle; /* 0: not open, or opened before we were there */
	uint64_t coll;
	_Atomic uint64_t seq; /* collective calls so far */
	/* the lowest request, the highest, and how many are not done */
	_Atomic int low, high, requests;
};

struct weir_pnetcdf_var {
	uint32_t handle;
	int xtype;
	int growing; /* its dimension that grows; -1: none */
	struct weir_pnetcdf_shape shape;
};

/* The file; NULL: nothing is known of it. */
struct weir_pnetcdf_file *weir_pnetcdf_file_find(int ncid);

/* It is open from now on, as nothing that was known of the number. */
void weir_pnetcdf_file_open(int ncid, uint32_t handle, uint64_t coll);
void weir_pnetcdf_file_close(int ncid);

/* The variable, if it was used before; NULL: it was not. */
const struct weir_pnetcdf_var *weir_pnetcdf_file_var(int ncid, int varid);

/*
 * The same after the call: what is not known yet is asked for, and the
 * variable gets a handle of the name FILE:/NAME. NULL: there is no such
 * variable, or no room.
 */
const struct weir_pnetcdf_var *weir_pnetcdf_file_learn(struct weir_layer *on,
						       const void *from,
						       int ncid, int varid);

/* Its name or its shape is no longer what it was. */
void weir_pnetcdf_file_forget(int ncid, int varid);

/* The name without what tells MPI-IO the kind of file system, `ufs:`. */
const char *weir_pnetcdf_file_plain(const char *path);

#endif
