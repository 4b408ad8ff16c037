/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides a run for an overview: time, processes, files. */
#ifndef WEIR_PAGE_OUTLINE_H
#define WEIR_PAGE_OUTLINE_H

#include "analyse/findings/findings.h"

#include <stddef.h>
#include <stdint.h>

#define WEIR_OUTLINE_GROUPS  128 /* of processes, at most */
#define WEIR_OUTLINE_NOBODY  255 /* the group of who has no sums */
#define WEIR_OUTLINE_FILES   200 /* that are told apart, at most */
#define WEIR_OUTLINE_PLACED  24	/* of which it is told where: the first */
#define WEIR_OUTLINE_OFFSETS 128 /* parts of a file */

/* What a name stands for; files first. */
enum weir_outline_kind {
	WEIR_OUTLINE_FILE,
	WEIR_OUTLINE_OBJECT,  /* of a library, within a file */
	WEIR_OUTLINE_CHANNEL, /* a pipe or the like */
	WEIR_OUTLINE_KINDS,
};

struct weir_outline_file {
	uint32_t number; /* in the names of the facts */
	enum weir_outline_kind kind;
	uint64_t extent; /* the highest offset reached */
	uint64_t unit;	 /* bytes of one of its parts */
};

/*
 * Wants weir_outline_fini, and the facts as long as it is used. Files are
 * numbered as in the list, then come all others, then the calls on none.
 */
struct weir_outline {
	const struct weir_runfacts *facts;
	const struct weir_findings *findings;
	uint64_t begin;	      /* CLOCK_REALTIME, ns */
	uint64_t span, width; /* ns: of all, and of a bin of time */
	uint64_t calls;	 /* that there are, also those that never returned */
	int is_timeless; /* sums of calls are in it: nobody knows when */
	uint32_t *order; /* processes that have calls: by rank, then number */
	uint32_t order_count, per_group;
	uint32_t processes;
	uint8_t *group_of;		 /* by number of the process */
	struct weir_outline_file *files; /* by kind, the longest first */
	uint32_t file_count;
	uint64_t files_in_all;
	struct weir_map file_index; /* hash of the name to index + 1 */
	struct weir_map evidence;   /* hash of ids of events that show it */
};

int weir_outline_init(struct weir_outline *outline,
		      const struct weir_reader *reader,
		      const struct weir_runfacts *facts,
		      const struct weir_findings *findings);
void weir_outline_fini(struct weir_outline *outline);

static inline uint32_t weir_outline_others(const struct weir_outline *outline)
{
	return outline->file_count;
}

static inline uint32_t weir_outline_none(const struct weir_outline *outline)
{
	return outline->file_count + 1;
}

/* NULL: the calls on no file. */
uint32_t weir_outline_file(const struct weir_outline *outline, const char *name,
			   size_t len);

/* A mark, or another note of who records: no call of the program. */
static inline int weir_outline_is_note(uint8_t layer)
{
	return layer == WEIR_CALLVIEW_MARK;
}

uint32_t weir_outline_groups(const struct weir_outline *outline);

/* What keys of `evidence` are. */
uint64_t weir_outline_key(uint32_t proc, uint32_t thread, uint64_t index);

#endif
