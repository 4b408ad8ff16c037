/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes under a name that says partial, and renames when it is whole. */
#ifndef WEIR_EXPORT_OUTPLACE_H
#define WEIR_EXPORT_OUTPLACE_H

#include <stdbool.h>

struct weir_outplace {
	const char *path; /* borrowed: where it is to be */
	char *partial;	  /* where it is written, beside it */
	bool force;	  /* what is there is replaced */
};

/*
 * Nothing is made yet. -EEXIST: there is something, and force is not set, or
 * it is not what one of our exports would leave; -ENOMEM.
 */
int weir_outplace_init(struct weir_outplace *place, const char *path,
		       bool force);

/* Removes what is not whole, if anything. */
void weir_outplace_fini(struct weir_outplace *place);

/* Stored on disk, it gets its name. 0 or -errno. */
int weir_outplace_finish(struct weir_outplace *place);

#endif
