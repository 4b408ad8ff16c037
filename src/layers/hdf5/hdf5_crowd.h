/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers collective calls on files that several ranks have open. */
#ifndef WEIR_HDF5_HDF5_CROWD_H
#define WEIR_HDF5_HDF5_CROWD_H

#include "layers/hdf5/hdf5.h"
#include "layers/hdf5/hdf5_library.h"

/* An access list has this communicator; `next` is a function of HDF5. */
void weir_hdf5_crowd_list(struct weir_hdf5_library *lib, long list, long comm,
			  const void *next);

/* Another list has the same. */
void weir_hdf5_crowd_copy(struct weir_hdf5_library *lib, long from, long to);

/* The list of a file has what the file was opened with. */
void weir_hdf5_crowd_list_of(struct weir_hdf5_library *lib, uint32_t crowd,
			     long to);

/* A file is about to be opened by a list, which may be such: number that. */
void weir_hdf5_crowd_meet(struct weir_hdf5_args *args);

/* It is open: who shares it; 0: nobody. */
uint32_t weir_hdf5_crowd_open(const struct weir_hdf5_args *args);

/* How many ranks a list's communicator has; 0: not known. */
uint32_t weir_hdf5_crowd_ranks(struct weir_hdf5_library *lib, long list);

/* Number a call that all of them make. */
void weir_hdf5_crowd_count(uint32_t crowd, struct weir_hdf5_args *args);

/* H5close: the same ids will stand for others. */
void weir_hdf5_crowd_forget(void);

#endif
