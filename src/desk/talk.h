/* SPDX-License-Identifier: BSD-3-Clause */
/* One connection: a request comes in, an answer goes out, and that is all. */
#ifndef WEIR_DESK_TALK_H
#define WEIR_DESK_TALK_H

#include "desk/desk.h"

#include <stdint.h>
#include <sys/types.h>

enum weir_talk_state {
	WEIR_TALK_FREE,	 /* nobody is there */
	WEIR_TALK_HEARS, /* the request is not whole yet */
	WEIR_TALK_SAYS,	 /* the answer is not out yet */
	WEIR_TALK_WAITS, /* for the other side to hang up */
};

/* Zero it to begin: it is free. */
struct weir_talk {
	enum weir_talk_state state;
	int fd;
	uint64_t since, deadline; /* CLOCK_MONOTONIC, ns */
	size_t heard;
	char request[WEIR_HTTP_MOST + 1];
	char head[1024];
	size_t head_len, head_said;
	struct weir_desk_answer answer;
	off_t body_len, body_said;
};

/* Takes over a connected socket that does not block. */
void weir_talk_start(struct weir_talk *talk, int fd);

/* The socket is ready for what it is polled for; may end the talk. */
void weir_talk_go_on(struct weir_talk *talk, struct weir_desk *desk);

/* Its time is over. */
void weir_talk_hang_up(struct weir_talk *talk, const struct weir_desk *desk);

/* What to poll the socket for. */
short weir_talk_events(const struct weir_talk *talk);

uint64_t weir_talk_now(void);

#endif
