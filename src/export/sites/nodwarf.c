/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands in for dwarf.c without libdw: only objects and offsets. */
#include "export/sites/dwarf.h"

#include <errno.h>

int weir_dwarf_open(const char *path, const char *build,
		    struct weir_dwarf **ret_dwarf)
{
	return -ENOTSUP;
}

void weir_dwarf_close(struct weir_dwarf *dwarf)
{
}

void weir_dwarf_find(struct weir_dwarf *dwarf, uint64_t offset,
		     struct weir_dwarf_place *ret_place)
{
	*ret_place = (struct weir_dwarf_place){ 0 };
}
