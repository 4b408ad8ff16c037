/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes calls that wait for the daemon's answer; for the generated stubs. */
#ifndef WEIR_LINK_SLOTS_H
#define WEIR_LINK_SLOTS_H

#include <stddef.h>
#include <stdint.h>

/* What goes with a call: copied into its lane, and out of it. */
struct weir_slots_call {
	uint32_t op;
	const void *args;
	size_t args_size;
	void *results;
	size_t results_size;
	const void *data; /* to the daemon; NULL: nothing */
	uint32_t data_size;
	void *answer; /* from it; NULL: nothing */
	uint32_t answer_room;
	uint32_t answer_size; /* set */
};

/*
 * Status of the op, 0 or -errno; -EIO when the service is gone. Looks for the
 * answer for a moment, then sleeps; complains when it takes long, and waits on:
 * the next daemon does what was posted. Signals do not end it.
 */
int weir_slots_call(struct weir_slots_call *call);

#endif
