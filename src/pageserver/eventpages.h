/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the events that a browser asks for, a page at a time. */
#ifndef WEIR_PAGESERVER_EVENTPAGES_H
#define WEIR_PAGESERVER_EVENTPAGES_H

#include "base/text.h"
#include "pageserver/urlquery.h"
#include "trace/bytes/map.h"
#include "trace/read/reader.h"

#include <stdint.h>

/* What weir_urlquery_parse() is to know. */
extern const char *const weir_eventpages_keys[];

/* Where an event stands in the order of the reader. */
struct weir_eventpages_place {
	uint64_t start; /* ns since the trace's first event */
	uint64_t proc, thread, depth, index;
};

/*
 * Where the last answer ended the reader stands: who goes on from there waits
 * for no block that was read before. Zero it to begin, then set the reader.
 */
struct weir_eventpages {
	struct weir_reader *reader; /* borrowed */
	char *wish; /* what it was selected by; NULL: the reader was moved */
	struct weir_eventpages_place at; /* of the last event looked at */
	uint8_t *files; /* by number whether it is wanted; NULL: all */
	struct weir_map calls; /* by address: 1 wanted, 2 not */
};

void weir_eventpages_fini(struct weir_eventpages *pages);

/* Somebody else reads: the next answer begins anew. */
void weir_eventpages_forget(struct weir_eventpages *pages);

/*
 * Writes events as JSON. 0, -EINVAL with *ret_wrong: what is wrong in the
 * query, or an error of the reader.
 */
int weir_eventpages_answer(struct weir_eventpages *pages,
			   const struct weir_urlquery *query, int fd,
			   const char **ret_wrong);

#endif
