/* SPDX-License-Identifier: BSD-3-Clause */
/* Property lists of HDF5, as who applies a plan needs them. */
#include "layers/hdf5/hdf5_lists.h"

#include "layers/layers.h"

enum { NEW, MEETING, READY, REFUSED };

struct wanted {
	const char *symbol;
	size_t at;
};

#define WANT(symbol, member)                                                   \
	{                                                                      \
		symbol, offsetof(struct weir_hdf5_lists, member)               \
	}

static const struct wanted wanted[] = {
	WANT("H5open", open),
	WANT("H5Pcopy", copy),
	WANT("H5Pcreate", create),
	WANT("H5Pget", get),
	WANT("H5Pset", set),
	WANT("H5Pget_driver", driver),
	WANT("H5Fget_access_plist", of_file),
	WANT("H5Dget_access_plist", of_dataset),
	WANT("H5Pget_nfilters", filters),
	WANT("H5Pget_external_count", externals),
};

static const char *const classes[WEIR_HDF5_CLASSES] = {
	"H5P_CLS_FILE_ACCESS_ID_g",    "H5P_CLS_FILE_CREATE_ID_g",
	"H5P_CLS_DATASET_CREATE_ID_g", "H5P_CLS_DATASET_ACCESS_ID_g",
	"H5P_CLS_DATASET_XFER_ID_g",
};

static struct weir_hdf5_lists all[WEIR_HDF5_LIBRARIES];

static bool has_all(struct weir_hdf5_lists *lists, const void *from)
{
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		void *function = weir_layers_sibling(wanted[i].symbol, from);

		if (!function)
			return false;
		*(void **)((char *)lists + wanted[i].at) = function;
	}
	/* since 1.10.2 */
	lists->driver_query = weir_layers_sibling("H5FDdriver_query", from);
	return true;
}

static int resolve_lists(struct weir_hdf5_lists *lists,
			 struct weir_hdf5_library *lib)
{
	const void *from = (const void *)lib->libversion;
	unsigned major = 0, minor = 0, release = 0;

	if (!has_all(lists, from))
		return REFUSED;
	for (int i = 0; i < WEIR_HDF5_CLASSES; i++) {
		lists->home[i] = weir_layers_sibling(classes[i], from);
		lists->copied[i] = weir_layers_object(classes[i], from);
		if (!lists->home[i] || !lists->copied[i])
			return REFUSED;
	}
	lib->libversion(&major, &minor, &release);
	lists->version = major * 10000 + minor * 100 + release;
	lists->library = lib;
	return READY;
}

/* A second thread that comes while the first one meets it goes without. */
struct weir_hdf5_lists *weir_hdf5_lists(struct weir_hdf5_library *lib)
{
	struct weir_hdf5_lists *lists = &all[lib->number - 1];
	int state = atomic_load(&lists->state);

	if (state == NEW &&
	    atomic_compare_exchange_strong(&lists->state, &state, MEETING)) {
		state = resolve_lists(lists, lib);
		atomic_store(&lists->state, state);
	}
	return state == READY ? lists : NULL;
}

/* Two threads may look for the same at once, and find the same. */
void *weir_hdf5_lists_function(struct weir_hdf5_lists *lists,
			       const char *symbol)
{
	size_t first = (uintptr_t)symbol / 8;
	void *function;

	for (size_t i = 0; i < WEIR_HDF5_FUNCTIONS; i++) {
		size_t at = (first + i) % WEIR_HDF5_FUNCTIONS;
		const char *is = atomic_load(&lists->functions[at].symbol);

		if (is == symbol)
			return atomic_load(&lists->functions[at].function);
		if (is)
			continue;
		function = weir_layers_sibling(
			symbol, (const void *)lists->library->libversion);
		atomic_store(&lists->functions[at].function, function);
		atomic_store(&lists->functions[at].symbol, symbol);
		return function;
	}
	return NULL;
}

/*
 * A program that is linked with the library may have its variables among its
 * own, and the library's stay as they were in the beginning.
 */
static long class_of(const struct weir_hdf5_lists *lists,
		     enum weir_hdf5_class which)
{
	long id = *lists->home[which];

	return id > 0 ? id : *lists->copied[which];
}

long weir_hdf5_lists_plain(struct weir_hdf5_lists *lists,
			   enum weir_hdf5_class which)
{
	if (class_of(lists, which) <= 0)
		lists->open();
	return lists->create(class_of(lists, which));
}

long weir_hdf5_lists_copy(struct weir_hdf5_lists *lists,
			  enum weir_hdf5_class which, long list)
{
	return list ? lists->copy(list) : weir_hdf5_lists_plain(lists, which);
}

unsigned long weir_hdf5_lists_driver(struct weir_hdf5_lists *lists, long fapl)
{
	unsigned long flags = 0;
	long driver = lists->driver_query ? lists->driver(fapl) : -1;

	if (driver < 0 || lists->driver_query(driver, &flags) < 0)
		return 0;
	return flags;
}
