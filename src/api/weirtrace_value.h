/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out the arguments of an event as a tree of typed values. */
#ifndef WEIR_API_WEIRTRACE_VALUE_H
#define WEIR_API_WEIRTRACE_VALUE_H

#include "trace/bytes/bytes.h"
#include "trace/event/dictionary.h"
#include "trace/layout/event.h"

#include <stddef.h>
#include <stdint.h>
#include <weir/trace.h>

struct weirtrace_value {
	const char *name, *show;
	enum weirtrace_type type;
	uint64_t number;
	const char *text;
	size_t text_len;
	size_t members; /* stand side by side ... */
	size_t ahead;   /* ... so far behind this one */
};

/* The values of one event. Zero it to begin; used again for the next. */
struct weirtrace_value_tree {
	struct weirtrace_value *values; /* the arguments, then members */
	size_t count, room;
	size_t arguments;
	struct weir_bytes texts; /* with a NUL behind each */
};

void weirtrace_value_fini(struct weirtrace_value_tree *tree);

/* 0 or -ENOMEM. Values point into the tree and the call. */
int weirtrace_value_decode(struct weirtrace_value_tree *tree,
			   const struct weir_event *event,
			   const struct weir_call *call);

#endif
