/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a whole trace as a file or folder that other tools read. */
#ifndef WEIR_EXPORT_EXPORT_H
#define WEIR_EXPORT_EXPORT_H

#include "export/dump/dump.h"

#include <stdbool.h>
#include <stdint.h>

/* An export under way, as a format sees it. */
struct weir_export {
	struct weir_reader *reader;
	const char *trace;  /* as the user calls it */
	const char *place;  /* the file or folder to make */
	uint64_t events;    /* given so far */
	uint64_t changed;   /* times, so that calls lie within others */
	char error[256];    /* what a library said, when it failed */
	void *own;	    /* the format's, from its begin to its leave */
};

/* A format: a row of the table in export.c. */
struct weir_export_format {
	const char *name;
	const char *lacks; /* the library that this build is without; or NULL */
	bool by_process; /* it wants the events of one process after another */
	int (*begin)(struct weir_export *export);
	int (*event)(struct weir_export *export,
		     const struct weir_dump_event *event);
	int (*end)(struct weir_export *export); /* after all events */
	void (*leave)(struct weir_export *export); /* also after failures */
};

extern const struct weir_export_format weir_to_otf2, weir_to_perfetto,
	weir_to_sqlite, weir_to_csv;

/* NULL when there is no such format. */
const struct weir_export_format *weir_export_format(const char *name);

/* What is wanted, and who is told how far it is. */
struct weir_export_wish {
	const struct weir_export_format *format;
	struct weir_dump_filter *filter; /* with a relations */
	const char *trace, *out;
	bool force;
};

/*
 * 0 or -errno; -EEXIST of `out` only. told.error may say more. Nothing is left
 * behind but what is whole.
 */
int weir_export_write(struct weir_reader *reader,
		      const struct weir_export_wish *wish,
		      struct weir_export *ret_told);

#endif
