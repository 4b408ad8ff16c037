/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Property lists of HDF5, as who applies a plan needs them. All of it is met
 * when a plan first wants something of a library, and never without one.
 */
#ifndef WEIR_HDF5_HDF5_LISTS_H
#define WEIR_HDF5_HDF5_LISTS_H

#include "layers/hdf5/hdf5_library.h"

#include <stdatomic.h>

/* Of which class a list is; the table of classes is in this order. */
enum weir_hdf5_class {
	WEIR_HDF5_FAPL,
	WEIR_HDF5_FCPL,
	WEIR_HDF5_DCPL,
	WEIR_HDF5_DAPL,
	WEIR_HDF5_DXPL,
	WEIR_HDF5_CLASSES,
};

/* What H5FDdriver_query() tells of a driver. */
#define WEIR_HDF5_CAN_SIEVE 0x8ul
#define WEIR_HDF5_HAS_MPI   0x100ul

#define WEIR_HDF5_FUNCTIONS 256 /* more than knobs have, twice */

struct weir_hdf5_lists {
	_Atomic int state;
	struct weir_hdf5_library *library;
	unsigned version; /* 1.10.8 is 11008 */
	int (*open)(void);
	long (*copy)(long);
	long (*create)(long);
	int (*get)(long, const char *, void *);
	int (*set)(long, const char *, const void *);
	long (*driver)(long);
	int (*driver_query)(long, unsigned long *);
	long (*of_file)(long);	  /* H5Fget_access_plist */
	long (*of_dataset)(long); /* H5Dget_access_plist */
	int (*filters)(long);
	int (*externals)(long);
	/* where the number of a class stands: the library's, the program's */
	const long *home[WEIR_HDF5_CLASSES], *copied[WEIR_HDF5_CLASSES];
	/* others, by their names; looked for once */
	struct {
		_Atomic(const char *) symbol;
		void *_Atomic function;
	} functions[WEIR_HDF5_FUNCTIONS];
};

/* NULL: this library lacks what is needed. */
struct weir_hdf5_lists *weir_hdf5_lists(struct weir_hdf5_library *lib);

/* A function by a name that stays where it is; NULL: there is none. */
void *weir_hdf5_lists_function(struct weir_hdf5_lists *lists,
			       const char *symbol);

/* A list of ours: as the program's, or with the defaults if that is none. */
long weir_hdf5_lists_copy(struct weir_hdf5_lists *lists,
			  enum weir_hdf5_class which, long list);
long weir_hdf5_lists_plain(struct weir_hdf5_lists *lists,
			   enum weir_hdf5_class which);

/* What the driver that a list names can do; 0: not known. */
unsigned long weir_hdf5_lists_driver(struct weir_hdf5_lists *lists, long fapl);

#endif
