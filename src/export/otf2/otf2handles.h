/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracks the open I/O handles of a process in an OTF2 archive. */
#ifndef WEIR_OTF2_OTF2HANDLES_H
#define WEIR_OTF2_OTF2HANDLES_H

#include "export/otf2/otf2defs.h"

/* Of closed ones nothing is kept. */
struct weir_otf2handles {
	struct weir_otf2defs *defs; /* borrowed */
	struct weir_map open;	    /* keys, to handles + 1 */
};

/* Forgets all of the process before. */
void weir_otf2handles_reset(struct weir_otf2handles *all);

/* What the call made; it may be below one on the handle `parent`. */
int weir_otf2handles_create(struct weir_otf2handles *all,
			    const struct weir_dump_event *event,
			    uint32_t parent, uint32_t *ret_handle);

/* What the call is on; if nobody has seen it made, it was there before. */
int weir_otf2handles_find(struct weir_otf2handles *all,
			  const struct weir_dump_event *event,
			  uint32_t *ret_handle);

/* The event closes it. */
void weir_otf2handles_close(struct weir_otf2handles *all,
			    const struct weir_event *event,
			    const struct weir_call *call);

/* How a call opens a file, as far as its arguments tell. */
struct weir_otf2handles_how {
	OTF2_IoAccessMode mode;
	OTF2_IoCreationFlag creation;
	OTF2_IoStatusFlag status;
};

struct weir_otf2handles_how
weir_otf2handles_how(const struct weir_dump_event *event);

#endif
