/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Models by how many requests a service would store what is written to a file:
 * it keeps writes for a while, of all processes, and joins neighbours.
 */
#ifndef WEIR_FACTS_GATHERING_H
#define WEIR_FACTS_GATHERING_H

#include <stddef.h>
#include <stdint.h>

/* Bytes without a gap, in so many pieces. */
struct weir_gathering_span {
	uint64_t from, to, pieces;
};

/* What is written of one file and not stored yet. Zero it to begin. */
struct weir_gathering {
	struct weir_gathering_span *list; /* some in order, others behind */
	size_t count, room, ordered;
	uint64_t bytes;		  /* in them; those written twice count so */
	uint64_t pieces;	  /* likewise */
	uint64_t oldest, changed; /* when the first and the last was written */
	uint64_t wanted;	  /* when it is to be stored; 0: not asked */
	uint64_t end;		  /* of the file, as far as it was written */
	uint64_t writes, requests; /* so far */
	uint32_t node;
};

/*
 * A write, or a call after which all has to be stored. Times are ns of one
 * clock, without the time that its process has spent in such calls so far: with
 * a service they take hardly any.
 */
struct weir_gathering_write {
	uint64_t from, bytes; /* from UINT64_MAX: it is appended */
	uint64_t at;
};

void weir_gathering_fini(struct weir_gathering *gathering);

/* In the order of their calls. 0 or -ENOMEM. */
int weir_gathering_take(struct weir_gathering *gathering,
			const struct weir_gathering_write *write);

/* Somebody closes or syncs the file then. */
void weir_gathering_want(struct weir_gathering *gathering, uint64_t at);

/* All of it is stored. */
void weir_gathering_store(struct weir_gathering *gathering);

/*
 * One file, written on several nodes. Zero it to begin. First comes what a
 * service for all nodes would keep, then that of each node; of a single node
 * there is but the first.
 */
struct weir_gatherings {
	struct weir_gathering *list;
	size_t count, room;
};

/* A node, and whether there are others in the run. */
struct weir_gathering_node {
	uint32_t number;
	int has_others;
};

void weir_gathering_fini_all(struct weir_gatherings *all);

/* The same for the service of a node, and for that of all. */
int weir_gathering_take_at(struct weir_gatherings *all,
			   struct weir_gathering_node node,
			   const struct weir_gathering_write *write);
void weir_gathering_want_at(struct weir_gatherings *all,
			    struct weir_gathering_node node, uint64_t at);

/* After the last call: all is stored. Returns the writes of all nodes. */
uint64_t weir_gathering_end_all(struct weir_gatherings *all);

/* Requests of the services of all nodes; `ret_joined`: of one for all. */
uint64_t weir_gathering_count_all(const struct weir_gatherings *all,
				  uint64_t *ret_joined);

#endif
