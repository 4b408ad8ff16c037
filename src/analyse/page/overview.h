/* SPDX-License-Identifier: BSD-3-Clause */
/* The data behind the page: sums by time and all else, and some calls. */
#ifndef WEIR_PAGE_OVERVIEW_H
#define WEIR_PAGE_OVERVIEW_H

#include "analyse/page/callpaths.h"
#include "analyse/page/cube.h"
#include "analyse/page/outline.h"
#include "analyse/page/sample.h"
#include "analyse/view/marksteps.h"

#include <stdint.h>

/* Beyond the classes of calls: what waits for others, whatever it does. */
#define WEIR_OVERVIEW_WAITS   WEIR_CLASS_COUNT
#define WEIR_OVERVIEW_CLASSES (WEIR_CLASS_COUNT + 1)

/* Calls by id; above them those that waited, which stand apart. */
#define WEIR_OVERVIEW_CALLS WEIR_CALLPATHS_OTHERS

/*
 * Beside the layers, in the place of the application, which has no calls: what
 * reaches the operating system, each byte once.
 */
#define WEIR_OVERVIEW_OS	 WEIR_CALLVIEW_APPLICATION

#define WEIR_OVERVIEW_NODES 4096 /* ways by which calls are made, about */
#define WEIR_OVERVIEW_STEPS 512  /* marked steps, at most */
#define WEIR_OVERVIEW_SITES 65536
#define WEIR_OVERVIEW_EMPTY 255 /* the size of what asked for no byte */

/* What is asked for in all cubes; where bits are in the rest of a key. */
enum weir_overview_cube {
	WEIR_OVERVIEW_CELLS,   /* layer << 16 | class << 8 | group */
	WEIR_OVERVIEW_PATHS,   /* node << 8 | group */
	WEIR_OVERVIEW_SIZES,   /* layer << 16 | class << 8 | power of two */
	WEIR_OVERVIEW_SHARE,   /* file << 8 | group */
	WEIR_OVERVIEW_STEPSUM, /* step << 24 | layer << 16 | class << 8 | group
				*/
	WEIR_OVERVIEW_ACCESS,  /* file << 16 | part << 8 | way */
	WEIR_OVERVIEW_LATENCY, /* call << 8 | quarter of a power of two */
	WEIR_OVERVIEW_CUBES,
};

/* Where a call was made, as it was recorded; of the first that was there. */
struct weir_overview_site {
	uint64_t start, dur; /* ns of its host's clock */
	uint32_t proc;
	uint32_t text; /* number of the bytes in `sites` */
};

/* A phase or step of all processes together. */
struct weir_overview_step {
	uint32_t phase; /* number in the marks' names; 0: none */
	int has_step;
	int64_t step;
	uint64_t begin, end; /* ns since the begin */
};

/* What one thread gathers, and in the end all. Zero it to begin. */
struct weir_overview {
	const struct weir_outline *outline;
	struct weir_cube cubes[WEIR_OVERVIEW_CUBES];
	struct weir_callpaths nodes;
	struct weir_sample sample;
	struct weir_marksteps marks;
	struct weir_overview_step *steps;
	uint32_t step_count;
	size_t step_room;
	struct weir_names sites; /* process and addresses */
	struct weir_overview_site *site_list;
	uint32_t site_room;
	uint8_t layers[WEIR_CALLVIEW_LAYERS]; /* 1: there are calls of it */
	uint8_t *calls;			      /* of CALLS, likewise */
	uint32_t *first_of; /* by file: lowest number of a process; 0: none */
	uint64_t *unplaced; /* by file: transfers whose place is unknown */
	uint64_t unknown;   /* calls whose caller is not among the events */
	int lost_steps, lost_sites; /* there were too many */
	/* In the end. */
	struct weir_exemplar *chosen;
	uint32_t chosen_count;
	int64_t joined_nodes;
	uint32_t steps_in_all;
};

/* Makes an empty one of what the outline divides. 0 or -ENOMEM; wants fini. */
int weir_overview_init(struct weir_overview *overview,
		       const struct weir_outline *outline);
void weir_overview_fini(struct weir_overview *overview);

/* A call by its id and the class that it is counted in: below CALLS. */
uint32_t weir_overview_call(uint16_t id, uint8_t class);

/* How often bins are joined before there is any want of room. */
unsigned weir_overview_folds(enum weir_overview_cube cube);

/* The quarter of a power of two, from 4 * power on, that ns lie in. */
uint8_t weir_overview_quarter(uint64_t ns);

#endif
