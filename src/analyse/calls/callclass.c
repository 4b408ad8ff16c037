/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of calls: what a call does, as sums tell it. */
#include "analyse/calls/callclass.h"

#include <stddef.h>
#include <string.h>

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
	[WEIR_CLASS_OTHER] = { "other", 0 },
};

struct rule {
	const char *word;
	enum weir_callclass class;
};

/* Where the role says too little, the name decides. */
static const struct rule by_name[] = {
	{ "stat", WEIR_CLASS_STAT },	{ "lstat", WEIR_CLASS_STAT },
	{ "fstat", WEIR_CLASS_STAT },	{ "fstatat", WEIR_CLASS_STAT },
	{ "statx", WEIR_CLASS_STAT },	{ "fsync", WEIR_CLASS_SYNC },
	{ "fdatasync", WEIR_CLASS_SYNC }, { "syncfs", WEIR_CLASS_SYNC },
	{ "sync", WEIR_CLASS_SYNC },	{ "sync_file_range", WEIR_CLASS_SYNC },
	{ "msync", WEIR_CLASS_SYNC },
};

static const struct rule by_role[] = {
	{ "open", WEIR_CLASS_OPEN },	{ "found", WEIR_CLASS_OPEN },
	{ "how", WEIR_CLASS_OPEN },	{ "fopen", WEIR_CLASS_OPEN },
	{ "freopen", WEIR_CLASS_OPEN }, { "unnamed", WEIR_CLASS_OPEN },
	{ "fpopen", WEIR_CLASS_OPEN },	{ "dir_open", WEIR_CLASS_OPEN },
	{ "close", WEIR_CLASS_CLOSE },	{ "sweep", WEIR_CLASS_CLOSE },
	{ "fclose", WEIR_CLASS_CLOSE }, { "dir_close", WEIR_CLASS_CLOSE },
	{ "read", WEIR_CLASS_READ },	{ "write", WEIR_CLASS_WRITE },
	{ "print", WEIR_CLASS_WRITE },	{ "get", WEIR_CLASS_GET },
	{ "put", WEIR_CLASS_PUT },	{ "fill", WEIR_CLASS_FILL },
	{ "drain", WEIR_CLASS_DRAIN },	{ "copy", WEIR_CLASS_COPY },
	{ "submit", WEIR_CLASS_SUBMIT }, { "done", WEIR_CLASS_DONE },
	{ "seek", WEIR_CLASS_SEEK },	{ "fseek", WEIR_CLASS_SEEK },
	{ "ftell", WEIR_CLASS_SEEK },	{ "map", WEIR_CLASS_MAP },
	{ "map_cut", WEIR_CLASS_MAP },	{ "map_use", WEIR_CLASS_MAP },
	{ "map_move", WEIR_CLASS_MAP }, { "dir", WEIR_CLASS_LIST },
	{ "dir_list", WEIR_CLASS_LIST }, { "dir_walk", WEIR_CLASS_LIST },
	{ "dir_tree", WEIR_CLASS_LIST },
};

static enum weir_callclass look_up(const struct rule *rules, size_t count,
				   const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(rules[i].word, word))
			return rules[i].class;
	return WEIR_CLASS_OTHER;
}

enum weir_callclass weir_callclass_of(const struct weir_call *call)
{
	enum weir_callclass class;

	if (!call)
		return WEIR_CLASS_OTHER;
	class = look_up(by_name, sizeof(by_name) / sizeof(*by_name),
			call->name);
	if (class != WEIR_CLASS_OTHER)
		return class;
	return look_up(by_role, sizeof(by_role) / sizeof(*by_role),
		       call->role);
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
