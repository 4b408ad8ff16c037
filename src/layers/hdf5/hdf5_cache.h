/* SPDX-License-Identifier: BSD-3-Clause */
/* Knobs of the metadata cache: all are members of one struct of HDF5. */
#ifndef WEIR_HDF5_HDF5_CACHE_H
#define WEIR_HDF5_HDF5_CACHE_H

#include "layers/hdf5/hdf5_adjust.h"

WEIR_HDF5_PUT(cache);
WEIR_HDF5_TELL(cache);

#endif
