/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records what is handed over, as events below the call that the program makes:
 * only where that is recorded, and the daemon records the file too. The number
 * that an event has (wire/cid.h) stands in what the daemon does for it.
 */
#ifndef WEIR_LINK_CLIENTEVENTS_H
#define WEIR_LINK_CLIENTEVENTS_H

#include "capture/layer.h"

#define WEIR_CLIENTEVENTS_ANY                                                  \
	UINT32_MAX /* in the place of a file: not known yet */

struct weir_clientevent {
	struct weir_layer on;
	bool is_on;
};

struct weir_clientevent_end {
	const char *op; /* of a call that is answered; NULL: a record */
	uint64_t cid;	/* 0: none */
	uint64_t size, offset;
	int64_t ret; /* below 0: -errno */
};

/* Out of line: there may be something to tell. */
bool weir_clientevents_start(struct weir_clientevent *event, uint16_t call,
			     uint32_t file);
void weir_clientevents_finish(struct weir_clientevent *event,
			      const struct weir_clientevent_end *end);

/*
 * The event begins, if there is to be one: then it must end. Keeps errno. The
 * struct lives in the function that ends it: by its address capture sees that
 * it was left by a jump.
 */
static inline void weir_clientevents_begin(struct weir_clientevent *event,
					   uint16_t call, uint32_t file)
{
	event->is_on = weir_gate_unlikely(weir_thread_recording) &&
		       weir_clientevents_start(event, call, file);
}

static inline void weir_clientevents_end(struct weir_clientevent *event,
					 const struct weir_clientevent_end *end)
{
	if (weir_gate_unlikely(event->is_on))
		weir_clientevents_finish(event, end);
}

/*
 * As weir_clientevents_begin, for a file that is being opened by this name. The
 * number of the call; 0: there is no event.
 */
uint64_t weir_clientevents_begin_open(struct weir_clientevent *event,
				      const char *path);

#endif
