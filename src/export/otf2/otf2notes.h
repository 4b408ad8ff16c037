/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the attributes of a call in an OTF2 archive. */
#ifndef WEIR_OTF2_OTF2NOTES_H
#define WEIR_OTF2_OTF2NOTES_H

#include "export/otf2/otf2defs.h"

struct weir_otf2notes {
	OTF2_AttributeList *list;   /* emptied when it is written */
	struct weir_otf2defs *defs; /* borrowed */
};

/* Index, file, links and marks, as attributes. 0 or -errno. */
int weir_otf2notes_add(struct weir_otf2notes *all,
		       const struct weir_dump_event *event);

#endif
