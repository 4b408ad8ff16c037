/* SPDX-License-Identifier: BSD-3-Clause */
/* Models of disks: what they consume, as data. */
#ifndef WEIR_QUERY_DISKMODEL_H
#define WEIR_QUERY_DISKMODEL_H

#include <stddef.h>

struct weir_diskmodel {
	char name[64];
	char source[160]; /* where the figures are from */
	double active_watts, idle_watts;
	double rpm, capacity_gb; /* 0: not told */
};

/* Those that are built in, as their files are; ends with a name of NULL. */
struct weir_diskmodel_text {
	const char *name, *text;
};

extern const struct weir_diskmodel_text weir_diskmodel_texts[];

/* NULL: there is none of that name. */
const char *weir_diskmodel_find(const char *name);

/*
 * 0, or -EINVAL with the line that is wrong, from 1 (0: something is missing),
 * and why.
 */
int weir_diskmodel_parse(const char *text, size_t len,
			 struct weir_diskmodel *ret_model, unsigned *ret_line,
			 const char **ret_why);

#endif
