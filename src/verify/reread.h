/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what is in files and objects now, and sums it up. */
#ifndef WEIR_VERIFY_REREAD_H
#define WEIR_VERIFY_REREAD_H

#include "verify/apart.h"
#include "verify/output.h"
#include "verify/source.h"

struct weir_reread {
	struct weir_output *written;
	struct weir_apart apart;       /* reads what is in HDF5's files, */
	struct weir_source_hdf5 *hdf5; /* with this, which only it has */
};

struct weir_reread_sum {
	struct weir_digest found;
	enum weir_fill fill; /* of an object in an HDF5 file */
};

/* No told sums may change between them: the process apart has a copy. */
void weir_reread_init(struct weir_reread *reread, struct weir_output *written);
void weir_reread_fini(struct weir_reread *reread);

/*
 * All bytes of an object, or for each process those that it wrote. Sets the
 * object's size; of one in an HDF5 file, why it fails. 0 or the errors of
 * sources.
 */
int weir_reread_all(struct weir_reread *reread,
		    struct weir_output_object *object,
		    struct weir_reread_sum *ret);
int weir_reread_spans(struct weir_reread *reread,
		      struct weir_output_object *object,
		      struct weir_reread_sum *ret);

/* Of an object in an HDF5 file: sets what is wrong where nobody wrote. */
int weir_reread_gaps(struct weir_reread *reread,
		     struct weir_output_object *object);

#endif
