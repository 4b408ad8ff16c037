/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves one connection: reads a request, sends the answer, hangs up. */
#ifndef WEIR_PAGESERVER_HTTPCONN_H
#define WEIR_PAGESERVER_HTTPCONN_H

#include "pageserver/pageserver.h"

#include <stdint.h>
#include <sys/types.h>

enum weir_httpconn_state {
	WEIR_HTTPCONN_FREE,  /* nobody is there */
	WEIR_HTTPCONN_HEARS, /* the request is not whole yet */
	WEIR_HTTPCONN_SAYS,  /* the answer is not out yet */
	WEIR_HTTPCONN_WAITS, /* for the other side to hang up */
};

/* Zero it to begin: it is free. */
struct weir_httpconn {
	enum weir_httpconn_state state;
	int fd;
	uint64_t since, deadline; /* CLOCK_MONOTONIC, ns */
	size_t heard;
	char request[WEIR_HTTP_MOST + 1];
	char head[1024];
	size_t head_len, head_said;
	struct weir_pageserver_answer answer;
	off_t body_len, body_said;
};

/* Takes over a connected socket that does not block. */
void weir_httpconn_start(struct weir_httpconn *conn, int fd);

/* The socket is ready for what it is polled for; may end the connection. */
void weir_httpconn_go_on(struct weir_httpconn *conn,
			 struct weir_pageserver *server);

/* Its time is over. */
void weir_httpconn_hang_up(struct weir_httpconn *conn,
			   const struct weir_pageserver *server);

/* What to poll the socket for. */
short weir_httpconn_events(const struct weir_httpconn *conn);

uint64_t weir_httpconn_now(void);

#endif
