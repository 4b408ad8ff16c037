/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Connections to a socket of the service: one request, one answer. What
 * a client sends is limited in bytes, in descriptors and in time, and only
 * processes of our own user are heard.
 */
#ifndef WEIR_DAEMON_CONNECTION_H
#define WEIR_DAEMON_CONNECTION_H

#include "wire/frame.h"

#include <sys/types.h>

#define WEIR_CONNECTION_TIME                                                   \
	UINT64_C(5000000000) /* to say all of a request, ns */

struct weir_connection {
	int fd;	    /* -1: this place is free */
	int passed; /* a descriptor that came along; -1: none */
	pid_t pid;  /* of who connected; 0: in another namespace */
	uint64_t since; /* CLOCK_MONOTONIC ns */
	uint32_t used;
	unsigned char bytes[WEIR_FRAME_SMALL];
};

struct weir_connections {
	struct weir_connection *all;
	uint32_t count;
};

/* 0 or -ENOMEM. */
int weir_connection_begin(struct weir_connections *connections, uint32_t count);

/* The next that has connected; NULL: nobody. Without a free place, that of who
 * has taken longest. */
struct weir_connection *
weir_connection_accept(struct weir_connections *connections, int listening);

/* 1: the request is whole; 0: there is more to come; -errno: end it. */
int weir_connection_hear(struct weir_connection *connection);

void weir_connection_end(struct weir_connection *connection);

/* Ends it, but for its socket, which is the caller's then. */
int weir_connection_leave(struct weir_connection *connection);

/* Ends who has had its time. True: there are others, who have some left. */
bool weir_connection_expire(struct weir_connections *connections);

/* What is sent, and to whom. */
struct weir_connection_answer {
	int fd;
	const void *bytes;
	size_t size;
	const int *fds; /* stay the caller's */
	uint32_t fd_count; /* at most 4 */
	int wait_ms; /* for a slow reader; 0: not at all */
};
int weir_connection_say(const struct weir_connection_answer *answer);

#endif
