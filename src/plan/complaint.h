/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what is wrong with a file, and where: `FILE:LINE: what`. */
#ifndef WEIR_PLAN_COMPLAINT_H
#define WEIR_PLAN_COMPLAINT_H

#include <stdio.h>

struct weir_complaints {
	FILE *to; /* NULL: they are only counted */
	const char *path;
	unsigned count;
};

/* Bytes that are not safe to show become \xNN. */
void weir_complaint_tell(struct weir_complaints *list, unsigned line,
			 const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* After the last: how many were too many to tell. */
void weir_complaint_end(const struct weir_complaints *list);

/* Any text, safe to show. */
void weir_complaint_show(FILE *to, const char *text);

#endif
