/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is handed over, as events below the call that the program makes: only
 * where that is recorded, and the daemon tells of the file too. The number that
 * an event has (wire/cid.h) stands in what the daemon does for it.
 */
#ifndef WEIR_FORWARD_TELL_H
#define WEIR_FORWARD_TELL_H

#include "capture/layer.h"

#define WEIR_TELL_ANY UINT32_MAX /* in the place of a file: not known yet */

struct weir_tell {
	struct weir_layer on;
	bool is_on;
};

struct weir_tell_end {
	const char *op; /* of a call that is answered; NULL: a record */
	uint64_t cid;	/* 0: none */
	uint64_t size, offset;
	int64_t ret; /* below 0: -errno */
};

/* Out of line: there may be something to tell. */
bool weir_tell_start(struct weir_tell *tell, uint16_t call, uint32_t file,
		     const void *frame);
void weir_tell_finish(struct weir_tell *tell, const struct weir_tell_end *end);

/* The event begins, if there is to be one: then it must end. Keeps errno. */
static inline void weir_tell_begin(struct weir_tell *tell, uint16_t call,
				   uint32_t file)
{
	tell->is_on = weir_gate_unlikely(weir_thread_recording) &&
		      weir_tell_start(tell, call, file,
				      __builtin_frame_address(0));
}

static inline void weir_tell_end(struct weir_tell *tell,
				 const struct weir_tell_end *end)
{
	if (weir_gate_unlikely(tell->is_on))
		weir_tell_finish(tell, end);
}

/*
 * As weir_tell_begin, for a file that is being opened by this name. The number
 * of the call; 0: there is no event.
 */
uint64_t weir_tell_begin_open(struct weir_tell *tell, const char *path);

#endif
