/* SPDX-License-Identifier: BSD-3-Clause */
/* A service with sockets that answers as told, or as it should not. */
#ifndef WEIR_FORWARD_DOORKEEPER_H
#define WEIR_FORWARD_DOORKEEPER_H

#include <stdatomic.h>

#define CHUNKS 4u
#define OPEN   7u

/* What is wrong with the service. */
enum fault {
	NONE,
	NOT_SEALED,
	TOO_SHORT,
	WRONG_MAGIC,
	WRONG_INTERFACE,
	WRONG_SESSION,
	NO_BOARD,
	NO_PRESENCE,
	REFUSES,
	DIES_FIRST, /* instead of the first answer */
	GIVES_UP_FIRST, /* the session that it has just answered with */
	STRANGER,   /* answers as another version would */
	DAWDLES,
};

/* In shared memory: the service is in the parent of the tests' clients. */
struct told {
	_Atomic int calls, complaints;
	_Atomic int opened, is_own, mode;
	_Atomic int in_handler;
	char path[256];
};

extern struct told *told;
extern char folder[64]; /* where the sockets are, and a file `file` */

void begin_service(enum fault how);
void stop_service(void); /* the sockets stay behind */
void end_service(void);
/* In a child: only the parent listens. */
void forget_service(void);

#endif
