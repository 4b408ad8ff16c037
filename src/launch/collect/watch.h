/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares a collector's clock with that of the whole trace. */
#ifndef WEIR_COLLECT_WATCH_H
#define WEIR_COLLECT_WATCH_H

#include "launch/clocks/timeclient.h"
#include "launch/clocks/timeserver.h"

struct weir_heading;
struct weir_tracedir;

/* Zero it to begin. */
struct weir_watch {
	const struct weir_tracedir *place; /* borrowed */
	struct weir_timecard card;	   /* of 0: nobody tells the time */
	struct weir_timeserver server; /* if it is us, not our launcher */
	struct weir_timepoint first;
	pthread_t thread; /* that asks for the first time */
	bool is_asking;
	bool told; /* the heading knows of the first point */
	atomic_int stop, done, err; /* of the thread */
};

/*
 * `card` is of our own launcher, or NULL: then the one in the directory is
 * asked, and where there is none but a parallel job, it is we who tell.
 */
void weir_watch_open(struct weir_watch *watch,
		     const struct weir_tracedir *place,
		     const struct weir_timecard *card, bool may_serve);

/* Never waits. True once: the heading knows more, and should be written. */
bool weir_watch_look(struct weir_watch *watch, struct weir_heading *heading);

/* The last comparison; takes a second at most. */
void weir_watch_end(struct weir_watch *watch, struct weir_heading *heading);

/* Serves those that still ask, for some seconds at most. */
void weir_watch_close(struct weir_watch *watch);

#endif
