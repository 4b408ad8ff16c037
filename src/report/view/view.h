/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what all forms of a view have in common. */
#ifndef WEIR_VIEW_VIEW_H
#define WEIR_VIEW_VIEW_H

#include "analyse/view/accessmap.h"
#include "analyse/view/series.h"
#include "analyse/view/sizes.h"
#include "base/text.h"
#include "trace/read/reader.h"

#include <stdint.h>

struct weir_view {
	struct weir_text *out;		  /* borrowed, like all here */
	const struct weir_reader *reader;
	const char *trace; /* as the user calls it */
	const char *layer; /* likewise */
	int ways;	   /* that were asked for */
};

/* The ways of a view one after the other: 0 read, 1 written. */
static inline int weir_view_has(const struct weir_view *view, int way)
{
	return view->ways >> way & 1;
}

void weir_view_say(const struct weir_view *view, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* How many of so many letters; at least one for more than nothing. */
unsigned int weir_view_share(uint64_t number, uint64_t most,
			     unsigned int letters);

#define WEIR_VIEW_BAR 24 /* letters of the longest */

/* A blank and a bar, with blanks up to the width of its column. */
void weir_view_bar(const struct weir_view *view, uint64_t number,
		   uint64_t most, unsigned int column);

#define WEIR_VIEW_LABEL 48

/* "rank 3", "4711", "n1:4711"; of a host "host 2", as names may be anything. */
const char *weir_view_label(const struct weir_view *view,
			    const struct weir_who *who, uint32_t group,
			    char to[WEIR_VIEW_LABEL]);

/* What stands for a row that a program has marked, in safe form. */
void weir_view_mark(struct weir_text *out, const struct weir_marksteps *marks,
		    uint32_t row);

/* Whether a marked row is before any mark, and nothing happened in it. */
int weir_view_is_void(const struct weir_series *series, uint32_t row);

#endif
