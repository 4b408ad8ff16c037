/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of each thread to its location in an OTF2 archive. */
#ifndef WEIR_OTF2_OTF2PLACES_H
#define WEIR_OTF2_OTF2PLACES_H

#include "export/otf2/otf2defs.h"

#include <otf2/otf2.h>
#include <stdint.h>

struct weir_otf2places {
	OTF2_Archive *archive;	    /* borrowed, as the next */
	struct weir_otf2defs *defs;
	OTF2_MarkerWriter *markers; /* NULL: nothing was lost so far */
	struct weir_map known;	    /* threads of the process, to open + 1 */
	struct weir_otf2places_open *open;
	size_t open_count, room;
	uint64_t count, events; /* of all so far */
};

int weir_otf2places_init(struct weir_otf2places *all, OTF2_Archive *archive,
			 struct weir_otf2defs *defs);
void weir_otf2places_fini(struct weir_otf2places *all);

/* The writer for the event's thread. 0 or -errno, as all below. */
int weir_otf2places_need(struct weir_otf2places *all,
			 const struct weir_event *event,
			 OTF2_EvtWriter **ret_writer);

/* A note of lost calls, as a marker. */
int weir_otf2places_lose(struct weir_otf2places *all,
			 const struct weir_event *event, uint64_t start);

/* The process has no more events: its threads are written and defined. */
int weir_otf2places_close(struct weir_otf2places *all);

/* After the last process. */
int weir_otf2places_finish(struct weir_otf2places *all);

#endif
