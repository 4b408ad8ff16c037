/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps which bytes of an object were written, as a process has told it. */
#ifndef WEIR_VERIFY_SPANS_H
#define WEIR_VERIFY_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_span {
	uint64_t from, to;
};

/* Zero it to begin. */
struct weir_spans {
	struct weir_span *list; /* in order, none meets another */
	size_t count, room;
	bool is_whole; /* all were understood */
};

void weir_spans_fini(struct weir_spans *spans);

/*
 * Reads what `extents` of an event says (trace/layout/digest_layout.h). What
 * makes no sense, or is too much, makes spans that are not whole. 0 or -ENOMEM.
 */
int weir_spans_read(struct weir_spans *spans, const char *text, size_t len);

/* All of both. 0 or -ENOMEM. */
int weir_spans_unite(struct weir_spans *to, const struct weir_spans *more);

/* Whether two have a byte in common. */
bool weir_spans_meet(const struct weir_spans *a, const struct weir_spans *b);

#endif
