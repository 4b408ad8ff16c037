/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds functions and lines of code in debug information. */
#ifndef WEIR_SITES_DWARF_H
#define WEIR_SITES_DWARF_H

#include <stdint.h>

struct weir_dwarf;

/* All borrowed; NULL and 0 for what is not known. */
struct weir_dwarf_place {
	const char *function;
	const char *file;
	int line;
};

/*
 * Opens the object at `path` if its build id is `build` (hexadecimal; empty:
 * it had none). -ESTALE: it is another one now; -ENOENT and other errors of the
 * file system; -ENOTSUP: this weir was built without libdw.
 */
int weir_dwarf_open(const char *path, const char *build,
		    struct weir_dwarf **ret_dwarf);
void weir_dwarf_close(struct weir_dwarf *dwarf); /* NULL too */

/* Of the instruction so many bytes behind where the object begins. */
void weir_dwarf_find(struct weir_dwarf *dwarf, uint64_t offset,
		     struct weir_dwarf_place *ret_place);

#endif
