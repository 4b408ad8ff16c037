/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups what calls mean into the few words that sums are shown by. */
#ifndef WEIR_CALLS_CALLCLASS_H
#define WEIR_CALLS_CALLCLASS_H

#include "trace/event/dictionary.h"

enum weir_callclass {
	WEIR_CLASS_OPEN,
	WEIR_CLASS_CLOSE,
	WEIR_CLASS_READ,   /* descriptors */
	WEIR_CLASS_WRITE,
	WEIR_CLASS_GET,	   /* streams, as the application sees them */
	WEIR_CLASS_PUT,
	WEIR_CLASS_FILL,   /* streams, as the kernel sees them */
	WEIR_CLASS_DRAIN,
	WEIR_CLASS_COPY,   /* from file to file */
	WEIR_CLASS_SUBMIT, /* asynchronous operations, */
	WEIR_CLASS_DONE,   /* and their ends */
	WEIR_CLASS_SEEK,
	WEIR_CLASS_STAT,
	WEIR_CLASS_SYNC,
	WEIR_CLASS_MAP,
	WEIR_CLASS_LIST,   /* directories */
	WEIR_CLASS_PROCESS, /* starts or ends processes */
	WEIR_CLASS_LIBRARY, /* starts or ends a library, as MPI_Init does */
	WEIR_CLASS_OTHER,
	WEIR_CLASS_COUNT,
};

/* By the class that the dictionary tells; NULL: OTHER. */
enum weir_callclass weir_callclass_of(const struct weir_call *call);

/* The layer of a call; old traces do not tell it, but the class does. */
const char *weir_callclass_layer(const struct weir_call *call);

const char *weir_callclass_name(enum weir_callclass class);

/* Its result is a number of bytes; its size is one that was asked for. */
int weir_callclass_moves(enum weir_callclass class);
int weir_callclass_has_size(enum weir_callclass class);

/* A part of another call's time. */
int weir_callclass_is_inner(enum weir_callclass class);

#endif
