/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets this machine's browsers talk to a desk. */
#ifndef WEIR_DESK_SERVER_H
#define WEIR_DESK_SERVER_H

#include "desk/desk.h"

#include <stdint.h>

struct weir_server {
	int socket, signals;
	uint16_t port;
};

/*
 * Listens on 127.0.0.1 alone; port 0: on any free one, told in server->port.
 * 0 or -errno.
 */
int weir_server_open(struct weir_server *server, uint16_t port);
void weir_server_close(struct weir_server *server);

/* From now on SIGINT and SIGTERM end weir_server_run(), and nothing else. */
int weir_server_watch(struct weir_server *server);

/* Until SIGINT or SIGTERM, then 0; or -errno. */
int weir_server_run(struct weir_server *server, struct weir_desk *desk);

#endif
