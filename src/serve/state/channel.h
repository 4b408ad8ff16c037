/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Carries what supervisor and daemon say to each other, on a pair of sockets.
 */
#ifndef WEIR_STATE_CHANNEL_H
#define WEIR_STATE_CHANNEL_H

#include <stdint.h>

enum weir_channel_word {
	/* to the daemon */
	WEIR_CHANNEL_PING = 1,
	WEIR_CHANNEL_RETIRE, /* end when nobody uses you any more */
	WEIR_CHANNEL_END,    /* store what there is, and end */
	/* to the supervisor */
	WEIR_CHANNEL_PONG,
	WEIR_CHANNEL_READY,
	WEIR_CHANNEL_STILL, /* all is stored, but `index` sessions are used */
	WEIR_CHANNEL_KEEP,  /* with a descriptor */
	WEIR_CHANNEL_DROP,
};

struct weir_channel_note {
	uint32_t word; /* enum weir_channel_word */
	uint32_t kind; /* enum weir_keptfds_kind, of keep and drop */
	uint32_t index;
	uint32_t serial; /* of drop: comes back when it is done */
};

/* Two ends; 0 or -errno. */
int weir_channel_make(int ret_ends[2]);

/* One note, whole; `fd` goes with it, -1: none. 0 or -errno. */
int weir_channel_send(int end, const struct weir_channel_note *note, int fd);

/*
 * The next note, without waiting; *ret_fd is new, or -1. -EAGAIN: there is none
 * now; -EPIPE: there will be none any more.
 */
int weir_channel_receive(int end, struct weir_channel_note *ret_note,
			 int *ret_fd);

#endif
