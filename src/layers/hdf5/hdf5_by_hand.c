/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrappers of calls that are not recorded, and whose result we remember. */
#include "layers/hdf5/hdf5_crowd.h"
#include "layers/hdf5/hdf5_object.h"
#include "layers/layers.h"

#define EXPORT __attribute__((visibility("default")))

long H5Pcopy(long list);
long H5Fget_access_plist(long file);

/* A list with a communicator may be copied before it is used. */
EXPORT long H5Pcopy(long list)
{
	static struct weir_layers_slot slot;
	long (*next)(long) = weir_layers_next(&slot, "H5Pcopy", (void *)H5Pcopy,
					      __builtin_return_address(0));
	struct weir_hdf5_library *lib = next ? weir_hdf5_library(next) : NULL;
	long ret = next ? next(list) : -1;

	if (lib && ret > 0)
		weir_hdf5_crowd_copy(lib, list, ret);
	return ret;
}

EXPORT long H5Fget_access_plist(long file)
{
	static struct weir_layers_slot slot;
	long (*next)(long) = weir_layers_next(&slot, "H5Fget_access_plist",
					      (void *)H5Fget_access_plist,
					      __builtin_return_address(0));
	struct weir_hdf5_library *lib = next ? weir_hdf5_library(next) : NULL;
	long ret = next ? next(file) : -1;
	struct weir_hdf5_object *object = weir_hdf5_object_find(lib, file);

	if (object && ret > 0)
		weir_hdf5_crowd_list_of(lib, object->crowd, ret);
	return ret;
}
