/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of each thread to its location in an OTF2 archive. */
#include "export/otf2/otf2places.h"

#include "base/grow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define LOST_CALLS 0 /* our one kind of marker */

struct weir_otf2places_open {
	OTF2_EvtWriter *writer;
	uint64_t location;
	uint32_t proc, thread;
};

int weir_otf2places_init(struct weir_otf2places *all, OTF2_Archive *archive,
			 struct weir_otf2defs *defs)
{
	all->archive = archive;
	all->defs = defs;
	return 0;
}

void weir_otf2places_fini(struct weir_otf2places *all)
{
	weir_map_fini(&all->known);
	free(all->open);
}

static int open_place(struct weir_otf2places *all,
		      const struct weir_event *event)
{
	struct weir_otf2places_open *place;

	if (WEIR_GROW(all->open, all->open_count, all->room))
		return -ENOMEM;
	place = &all->open[all->open_count];
	*place = (struct weir_otf2places_open){
		.location = all->count,
		.proc = event->proc,
		.thread = event->thread,
		.writer = OTF2_Archive_GetEvtWriter(all->archive, all->count),
	};
	if (!place->writer)
		return -EIO;
	all->count++;
	all->open_count++;
	return weir_map_put(&all->known, event->thread, all->open_count);
}

static int find_open_place(struct weir_otf2places *all,
			   const struct weir_event *event,
			   struct weir_otf2places_open **ret_place)
{
	/* thread 0 is that of short records */
	uint64_t at = weir_map_get(&all->known, event->thread);
	int err = at ? 0 : open_place(all, event);

	if (err)
		return err;
	*ret_place = &all->open[(at ? at : all->open_count) - 1];
	return 0;
}

int weir_otf2places_need(struct weir_otf2places *all,
			 const struct weir_event *event,
			 OTF2_EvtWriter **ret_writer)
{
	struct weir_otf2places_open *place;
	int err = find_open_place(all, event, &place);

	if (!err)
		*ret_writer = place->writer;
	return err;
}

static int open_markers(struct weir_otf2places *all)
{
	all->markers = OTF2_Archive_GetMarkerWriter(all->archive);
	if (!all->markers)
		return -EIO;
	return weir_otf2defs_error(OTF2_MarkerWriter_WriteDefMarker(
		all->markers, LOST_CALLS, "weir", "lost calls",
		OTF2_SEVERITY_HIGH));
}

int weir_otf2places_lose(struct weir_otf2places *all,
			 const struct weir_event *event, uint64_t start)
{
	struct weir_otf2places_open *place;
	char text[64] = "some calls were not recorded";
	int err = find_open_place(all, event, &place);

	if (!err && !all->markers)
		err = open_markers(all);
	if (err)
		return err;
	if (event->size)
		snprintf(text, sizeof(text), "%llu calls were not recorded",
			 (unsigned long long)event->size);
	return weir_otf2defs_error(OTF2_MarkerWriter_WriteMarker(
		all->markers, start, event->dur, LOST_CALLS,
		OTF2_MARKER_SCOPE_LOCATION, place->location, text));
}

static int close_place(struct weir_otf2places *all,
		       struct weir_otf2places_open *place)
{
	uint64_t events = 0;
	int err = weir_otf2defs_error(
		OTF2_EvtWriter_GetNumberOfEvents(place->writer, &events));

	all->events += events;
	if (!err)
		err = weir_otf2defs_error(OTF2_Archive_CloseEvtWriter(
			all->archive, place->writer));
	return err ? err : weir_otf2defs_location(all->defs, place->location,
						  place->proc, place->thread,
						  events);
}

int weir_otf2places_close(struct weir_otf2places *all)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < all->open_count; i++)
		err = close_place(all, &all->open[i]);
	all->open_count = 0;
	weir_map_fini(&all->known);
	return err;
}

/* Readers look for local definitions, though all are global here. */
static int write_empty(struct weir_otf2places *all, uint64_t location)
{
	OTF2_DefWriter *writer =
		OTF2_Archive_GetDefWriter(all->archive, location);

	if (!writer)
		return -EIO;
	return weir_otf2defs_error(
		OTF2_Archive_CloseDefWriter(all->archive, writer));
}

/* No events at all: readers want a location nevertheless. */
static int open_first(struct weir_otf2places *all)
{
	struct weir_event nothing = { .proc = 1, .thread = 1 };
	int err = open_place(all, &nothing);

	return err ? err : weir_otf2places_close(all);
}

int weir_otf2places_finish(struct weir_otf2places *all)
{
	int err = all->count ? 0 : open_first(all);

	if (!err && all->markers)
		err = weir_otf2defs_error(OTF2_Archive_CloseMarkerWriter(
			all->archive, all->markers));
	if (!err)
		err = weir_otf2defs_error(
			OTF2_Archive_CloseEvtFiles(all->archive));
	if (!err)
		err = weir_otf2defs_error(
			OTF2_Archive_OpenDefFiles(all->archive));
	for (uint64_t i = 0; !err && i < all->count; i++)
		err = write_empty(all, i);
	return err ? err : weir_otf2defs_error(
				   OTF2_Archive_CloseDefFiles(all->archive));
}
