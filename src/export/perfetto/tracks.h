/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the tracks of a Perfetto trace: processes and threads. */
#ifndef WEIR_PERFETTO_TRACKS_H
#define WEIR_PERFETTO_TRACKS_H

#include "export/dump/dump.h"
#include "export/perfetto/packets.h"
#include "export/perfetto/pidbook.h"
#include "trace/bytes/map.h"

#include <stdint.h>

#define WEIR_TRACKS_EXPORT 1 /* others have a process in the upper half */

struct weir_tracks {
	const struct weir_reader *reader;
	struct weir_packets *packets;
	struct weir_pidbook pids;
	struct weir_map known; /* tracks that are described */
	struct weir_text line; /* goes nowhere: to take its bytes from */
};

static inline uint64_t weir_tracks_of(const struct weir_event *event)
{
	return (uint64_t)event->proc << 32 | event->thread;
}

/* Describes all processes. 0 or -errno; wants fini either way. */
int weir_tracks_init(struct weir_tracks *all,
		     const struct weir_reader *reader,
		     struct weir_packets *packets);
void weir_tracks_fini(struct weir_tracks *all);

/* The event's thread, unless it is described already. 0 or -errno. */
int weir_tracks_need(struct weir_tracks *all,
		     const struct weir_dump_event *event);

/* Likewise a track beside the thread's calls, for what the program says. */
int weir_tracks_need_marks(struct weir_tracks *all,
			   const struct weir_dump_event *event,
			   uint64_t *ret_track);

/* A track with a name of its own; parent 0: none. */
int weir_tracks_add(struct weir_tracks *all, uint64_t track, uint64_t parent,
		    const char *name);

#endif
