/* SPDX-License-Identifier: BSD-3-Clause */
/* Strips names of files of what only one run has: places and numbers. */
#ifndef WEIR_COMPARE_NAMEFORM_H
#define WEIR_COMPARE_NAMEFORM_H

#include "trace/bytes/bytes.h"

#include <stddef.h>

/* The directory below which a run worked; length 0: none is left out. */
struct weir_nameform_root {
	const char *path; /* borrowed */
	size_t len;
};

/*
 * Where two runs with these working directories differ: .../run-a and
 * .../run-b of .../run-a/work and .../run-b/work. NULL: not known.
 */
void weir_nameform_roots(const char *const cwds[2],
			 struct weir_nameform_root ret_roots[2]);

/* Appends the name, its root as a dot. 0 or -ENOMEM. */
int weir_nameform_place(struct weir_bytes *to, const char *name, size_t len,
			const struct weir_nameform_root *root);

/*
 * The same with a # for each number, for each long word of hexadecimal digits
 * and each part of a UUID, and a * for all but the extension of what stands
 * first in a directory for temporary files, or is called tmp and more.
 */
int weir_nameform_make(struct weir_bytes *to, const char *name, size_t len,
		       const struct weir_nameform_root *root);

#endif
