/* SPDX-License-Identifier: BSD-3-Clause */
/* Orders the layers of the I/O stack, and tells whose side they are on. */
#ifndef WEIR_CALLS_STACK_H
#define WEIR_CALLS_STACK_H

#include <stdbool.h>

enum weir_stack_role {
	WEIR_STACK_CLIENT, /* in the application's processes */
	WEIR_STACK_JOINT,  /* likewise; its collective calls communicate */
	WEIR_STACK_COMM,   /* communication inside a collective call */
	WEIR_STACK_SERVER, /* at I/O nodes */
	WEIR_STACK_DISK,   /* likewise, below the server */
	WEIR_STACK_NONE,   /* no layer of I/O */
};

struct weir_stack_place {
	enum weir_stack_role role;
	unsigned order; /* from the application down */
	bool is_later;	/* what calls above do not wait for */
};

/* By its name in the dictionary; a name that is not known is a client's. */
struct weir_stack_place weir_stack_find(const char *layer);

static inline bool weir_stack_is_server(enum weir_stack_role role)
{
	return role == WEIR_STACK_SERVER || role == WEIR_STACK_DISK;
}

#endif
