/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what a layer did for a call, and when. */
#ifndef WEIR_QUERY_CALLCELLS_H
#define WEIR_QUERY_CALLCELLS_H

#include <stdint.h>

/* What an instance of a layer did for a call: that layer's outermost calls. */
struct weir_callunit_cell {
	uint32_t client; /* number of the process; 0: all, at a server */
	uint32_t server; /* likewise; 0: it is the client's own */
	uint8_t layer;
	uint64_t covered; /* ns during which at least one was under way */
	uint64_t end;	  /* of what is covered so far */
	uint64_t bytes, calls;
	uint32_t open; /* operations under way: since then all is covered */
	uint64_t open_since, before; /* that; what was covered until then */
};

/* Adds a time; they come in the order of their starts. */
void weir_callcells_cover(struct weir_callunit_cell *cell, uint64_t start,
			  uint64_t dur);

/* An operation begins, and ends: the cell is covered without a gap. */
void weir_callcells_open(struct weir_callunit_cell *cell, uint64_t start);
void weir_callcells_close(struct weir_callunit_cell *cell, uint64_t end);

#endif
