/* SPDX-License-Identifier: BSD-3-Clause */
/* Listens for this machine's browsers, and serves all of them. */
#ifndef WEIR_PAGESERVER_LISTENER_H
#define WEIR_PAGESERVER_LISTENER_H

#include "pageserver/pageserver.h"

#include <stdint.h>

struct weir_listener {
	int socket, signals;
	uint16_t port;
};

/*
 * Listens on 127.0.0.1 alone; port 0: on any free one, told in listener->port.
 * 0 or -errno.
 */
int weir_listener_open(struct weir_listener *listener, uint16_t port);
void weir_listener_close(struct weir_listener *listener);

/* From now on SIGINT and SIGTERM end weir_listener_run(), and nothing else. */
int weir_listener_watch(struct weir_listener *listener);

/* Until SIGINT or SIGTERM, then 0; or -errno. */
int weir_listener_run(struct weir_listener *listener,
		      struct weir_pageserver *server);

#endif
