/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows a trace while it is recorded, by what has been stored so far. */
#ifndef WEIR_SHARE_TRACEWATCH_H
#define WEIR_SHARE_TRACEWATCH_H

#include "trace/bytes/bytes.h"
#include "trace/bytes/zip.h"
#include "trace/file/blocks.h"

#include <limits.h>
#include <stdint.h>

/* Zero it, and name the file, to begin. */
struct weir_tracewatch {
	char path[PATH_MAX]; /* DIR/HOST.weir */
	char host[80];
	struct weir_blocks blocks;
	struct weir_bytes text;
	struct weir_zip zip;
	int is_open;
	uint64_t calls;	    /* stored, so less than were made */
	uint64_t bytes;	    /* of the trace */
	uint64_t lost;	    /* by processes that have ended */
	uint32_t processes; /* that are recorded now */
};

/* Of a trace in `dir`; `host` as its files are named. */
void weir_tracewatch_init(struct weir_tracewatch *follow, const char *dir,
		      const char *host);

/* What has come since; nothing while there is no file. 0 or -errno. */
int weir_tracewatch_look(struct weir_tracewatch *follow);
void weir_tracewatch_fini(struct weir_tracewatch *follow);

#endif
