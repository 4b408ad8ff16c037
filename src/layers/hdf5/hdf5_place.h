/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells where in its file a dataset lies, for what is written later. */
#ifndef WEIR_HDF5_HDF5_PLACE_H
#define WEIR_HDF5_HDF5_PLACE_H

#include "layers/hdf5/hdf5_object.h"

/* A dataset is written to by this process. */
void weir_hdf5_place_note(struct weir_hdf5_object *object);

/*
 * Before a call, ask where a dataset lies. What it has in memory of chunks may
 * be written out by this: only where the call would write it anyway.
 */
void weir_hdf5_place_ask(struct weir_hdf5_object *object);

/* The same of all that is written to and open in a file. */
void weir_hdf5_place_ask_file(const struct weir_hdf5_object *file,
			      bool with_chunks);

/* After the call: one record for each piece that was asked for. */
void weir_hdf5_place_tell(struct weir_layer *on);

#endif
