/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers how files were opened, for plans that set what is in them. */
#ifndef WEIR_HDF5_HDF5_KNOWN_H
#define WEIR_HDF5_HDF5_KNOWN_H

#include "layers/hdf5/hdf5_library.h"

struct weir_hdf5_known {
	bool is_shared; /* by ranks, through MPI-IO */
	bool is_writable;
	bool is_oldest; /* what is made in it has the oldest format */
	uint32_t ranks; /* 0: not known */
};

/* A file of this name was opened so. */
void weir_hdf5_known_put(struct weir_hdf5_library *lib, const char *file,
			 const struct weir_hdf5_known *known);

/* Of a file as the library calls it; false: not one of the last ones. */
bool weir_hdf5_known_get(struct weir_hdf5_library *lib, const char *file,
			 struct weir_hdf5_known *ret_known);

#endif
