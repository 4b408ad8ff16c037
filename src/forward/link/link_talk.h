/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends one question to a socket of the service, and takes its answer. */
#ifndef WEIR_LINK_LINK_TALK_H
#define WEIR_LINK_LINK_TALK_H

#include "wire/frame.h"

#include <limits.h>

#define WEIR_LINK_DOOR	"door"	/* the daemon's */
#define WEIR_LINK_ABOVE "above" /* the supervisor's */
#define WEIR_LINK_FDS	2

struct weir_link_talk {
	const char *directory, *name;
	const void *call; /* a whole frame */
	size_t call_size;
	int fd;			   /* goes with it; -1: none */
	unsigned char answer[512]; /* of the ops that go this way */
	size_t answer_size;
	int fds[WEIR_LINK_FDS]; /* that came with it; -1: none */
};

/*
 * Once. 0: an answer has come, whatever it says, and descriptors, which are
 * the caller's. -EAGAIN: nobody answers for some time, -ECONNRESET: who was to
 * answer died, -EACCES: they serve another user, -ECONNREFUSED: nobody is
 * there; or what the kernel says.
 */
int weir_link_talk(struct weir_link_talk *talk);

void weir_link_talk_end(struct weir_link_talk *talk); /* closes them */

#endif
