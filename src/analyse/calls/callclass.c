/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups what calls mean into the few words that sums are shown by. */
#include "analyse/calls/callclass.h"

#define MOVES 1 /* its result is a number of bytes */
#define SIZED 2
#define INNER 4 /* it lies within another call */

static const struct {
	const char *name;
	int traits;
} classes[WEIR_CLASS_COUNT] = {
	[WEIR_CLASS_OPEN] = { "open", 0 },
	[WEIR_CLASS_CLOSE] = { "close", 0 },
	[WEIR_CLASS_READ] = { "read", MOVES | SIZED },
	[WEIR_CLASS_WRITE] = { "write", MOVES | SIZED },
	[WEIR_CLASS_GET] = { "stream-read", MOVES | SIZED },
	[WEIR_CLASS_PUT] = { "stream-write", MOVES | SIZED },
	[WEIR_CLASS_FILL] = { "stream-fill", MOVES | SIZED | INNER },
	[WEIR_CLASS_DRAIN] = { "stream-flush", MOVES | SIZED | INNER },
	[WEIR_CLASS_COPY] = { "copy", MOVES | SIZED },
	[WEIR_CLASS_SUBMIT] = { "submit", SIZED },
	[WEIR_CLASS_DONE] = { "complete", MOVES },
	[WEIR_CLASS_SEEK] = { "seek", 0 },
	[WEIR_CLASS_STAT] = { "stat", 0 },
	[WEIR_CLASS_SYNC] = { "sync", 0 },
	[WEIR_CLASS_MAP] = { "map", 0 },
	[WEIR_CLASS_LIST] = { "list", 0 },
	[WEIR_CLASS_PROCESS] = { "process", 0 },
	[WEIR_CLASS_LIBRARY] = { "library", 0 },
	[WEIR_CLASS_OTHER] = { "other", 0 },
};

/* Where it is shown, + 1: what stands in no row is shown as OTHER. */
#define SHOWN(class) (WEIR_CLASS_##class + 1)

static const uint8_t shown[WEIR_MEANS_COUNT] = {
	[WEIR_MEANS_OPEN] = SHOWN(OPEN),
	[WEIR_MEANS_CLOSE] = SHOWN(CLOSE),
	[WEIR_MEANS_READ] = SHOWN(READ),
	[WEIR_MEANS_WRITE] = SHOWN(WRITE),
	[WEIR_MEANS_PRINT] = SHOWN(WRITE),
	[WEIR_MEANS_STREAM_READ] = SHOWN(GET),
	[WEIR_MEANS_STREAM_WRITE] = SHOWN(PUT),
	[WEIR_MEANS_STREAM_FILL] = SHOWN(FILL),
	[WEIR_MEANS_STREAM_FLUSH] = SHOWN(DRAIN),
	[WEIR_MEANS_COPY] = SHOWN(COPY),
	[WEIR_MEANS_SUBMIT] = SHOWN(SUBMIT),
	[WEIR_MEANS_COMPLETE] = SHOWN(DONE),
	[WEIR_MEANS_SEEK] = SHOWN(SEEK),
	[WEIR_MEANS_STAT] = SHOWN(STAT),
	[WEIR_MEANS_SYNC] = SHOWN(SYNC),
	[WEIR_MEANS_MAP] = SHOWN(MAP),
	[WEIR_MEANS_MAP_CHANGE] = SHOWN(MAP),
	[WEIR_MEANS_LIST] = SHOWN(LIST),
	[WEIR_MEANS_PROCESS] = SHOWN(PROCESS),
	[WEIR_MEANS_LIBRARY] = SHOWN(LIBRARY),
};

enum weir_callclass weir_callclass_of(const struct weir_call *call)
{
	uint8_t found = call ? shown[call->means.class] : 0;

	return found ? (enum weir_callclass)(found - 1) : WEIR_CLASS_OTHER;
}

const char *weir_callclass_layer(const struct weir_call *call)
{
	if (call->layer)
		return call->layer;
	switch (weir_callclass_of(call)) {
	case WEIR_CLASS_GET:
	case WEIR_CLASS_PUT:
	case WEIR_CLASS_FILL:
	case WEIR_CLASS_DRAIN:
		return "stdio";
	case WEIR_CLASS_SUBMIT:
	case WEIR_CLASS_DONE:
		return "async";
	default:
		return "posix";
	}
}

const char *weir_callclass_name(enum weir_callclass class)
{
	return classes[class].name;
}

int weir_callclass_moves(enum weir_callclass class)
{
	return classes[class].traits & MOVES;
}

int weir_callclass_has_size(enum weir_callclass class)
{
	return classes[class].traits & SIZED;
}

int weir_callclass_is_inner(enum weir_callclass class)
{
	return classes[class].traits & INNER;
}
