/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the functions of PnetCDF and MPI that we need; none does I/O. */
#ifndef WEIR_PNETCDF_PNETCDF_LIBRARY_H
#define WEIR_PNETCDF_PNETCDF_LIBRARY_H

#include "layers/pnetcdf/pnetcdf_select.h"

#define WEIR_PNETCDF_NAME 257 /* NC_MAX_NAME and its end */

/* What is asked of the library whose function the code at `from` calls. */
struct weir_pnetcdf_described {
	char name[WEIR_PNETCDF_NAME];
	struct weir_pnetcdf_shape shape;
	int xtype;
	int growing; /* the dimension that grows; -1: none of this variable's */
};

/* False: there is no such variable, or it cannot be told. */
bool weir_pnetcdf_library_describe(const void *from, int ncid, int varid,
				   struct weir_pnetcdf_described *ret);

/* The length of a dimension now; 0: not known. */
int64_t weir_pnetcdf_library_length(const void *from, int ncid, int dim);

/* Bytes in the file of an attribute's value; 0: there is none. */
uint64_t weir_pnetcdf_library_attribute(const void *from, int ncid, int varid,
					const char *name);

/* The name by which a file was opened; false: it is longer than the room. */
bool weir_pnetcdf_library_path(const void *from, int ncid, char *ret_path,
			       size_t room);

/* Bytes that an MPI datatype stands for; that of no type is 0. */
uint64_t weir_pnetcdf_library_bytes(const void *from, long type);

/* The library's version, or NULL. */
const char *weir_pnetcdf_library_version(const void *from);

/* Bytes in files of one element of an external type; 0: not known. */
unsigned int weir_pnetcdf_library_width(int xtype);

#endif
