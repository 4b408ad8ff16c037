/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins each call of the application with all that was done for it. */
#ifndef WEIR_QUERY_CALLUNITS_H
#define WEIR_QUERY_CALLUNITS_H

#include "analyse/calls/callfacts.h"
#include "analyse/calls/tree.h"
#include "analyse/causes/crosscause.h"
#include "analyse/query/callcells.h"
#include "analyse/query/operations.h"
#include "analyse/query/segments.h"
#include "trace/bytes/map.h"
#include "trace/read/reader.h"

#include <stdbool.h>
#include <stdint.h>

/* No layers: collective calls that communicate, and the I/O below them. */
#define WEIR_CALLUNIT_JOINT    WEIR_CALLFACTS_LAYERS
#define WEIR_CALLUNIT_JOINT_IO (WEIR_CALLFACTS_LAYERS + 1)

/* One call, of one process or of several together. */
struct weir_callunit {
	struct weir_callunits *all;
	struct weir_callunit *next, **link; /* those that are not over */
	const void *node;     /* members of the collective call; NULL: none */
	uint64_t root;	      /* hash of its id; 0: nobody looks for it */
	struct weir_tree_id id; /* of the lowest rank */
	uint32_t rank;
	uint64_t number; /* from 0, in the order of starts */
	uint64_t start;	 /* ns since the trace's first event */
	const struct weir_call *call; /* NULL: not seen so far */
	uint32_t file; /* the first that is told; 0: none */
	uint32_t segment;
	uint64_t size;	/* asked for; of several processes the most */
	int32_t error;	/* 0, or why it failed, as its layer numbers it */
	bool has_size;
	int ways;	/* WEIR_TRAFFIC_*: of the call itself, */
	int ways_below; /* and of what is below it */
	bool is_wanted;
	bool is_open;	  /* it never returned */
	uint64_t members; /* processes that are still to come */
	int64_t awaited;  /* events of servers, likewise */
	uint64_t refs;	  /* frames */
	struct weir_callunit_cell *cells;
	uint32_t cell_count;
	size_t cell_room;
	struct weir_map index; /* of cells + 1, where there are many */
};

struct weir_callunits_wish {
	const char *of; /* layer; NULL: outermost calls of any */
	const uint8_t *clients; /* by process: who is wanted; NULL: all */
	/* Whether somebody asks about this call. */
	bool (*wants)(void *context, const struct weir_event *root,
		      const struct weir_callunit *unit);
	/* Gets those that are over. 0 or -errno. */
	int (*take)(void *context, const struct weir_callunit *unit);
	void *context;
};

/* Wants weir_callunits_fini. */
struct weir_callunits {
	struct weir_reader *reader;
	const struct weir_crosscause *causes;
	struct weir_callfacts *facts;
	const struct weir_callunits_wish *wish;
	struct weir_segments segments;
	struct weir_tree *tree;
	struct weir_callunit *units; /* not over */
	struct weir_callunit *spare;
	struct weir_callunits_span *spans; /* likewise */
	struct weir_operations operations; /* under way */
	struct weir_map by_node, by_root;
	uint64_t count;
	uint64_t open;	   /* calls that never returned; left out */
	uint64_t orphans;  /* calls whose caller is not known */
	uint64_t sited;	   /* outermost calls that tell where they were made */
	uint64_t uncaused; /* calls of servers; likewise left out */
	bool has_short, has_sums;
	int err;
};

/*
 * Reads all events; those of a call go to wish->take() when it is over. The
 * facts are those of weir_crosscause_gather(). 0 or -errno.
 */
int weir_callunits_gather(struct weir_callunits *all,
			  struct weir_reader *reader,
			  const struct weir_crosscause *causes,
			  struct weir_callfacts *facts,
			  const struct weir_callunits_wish *wish);
void weir_callunits_fini(struct weir_callunits *all);

/* NULL: nothing was done there. */
struct weir_callunit_cell *
weir_callunits_find(const struct weir_callunit *unit, unsigned layer,
		    uint32_t client, uint32_t server);

#endif
