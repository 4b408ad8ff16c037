/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the requests of a trace that move bytes, as one layer sees them. */
#ifndef WEIR_CALLS_TRAFFIC_H
#define WEIR_CALLS_TRAFFIC_H

#include "trace/bytes/map.h"
#include "trace/read/reader.h"

#include <stdint.h>

enum weir_traffic_layer {
	WEIR_TRAFFIC_OS, /* what reaches the operating system, once */
	WEIR_TRAFFIC_POSIX,
	WEIR_TRAFFIC_STDIO,
	WEIR_TRAFFIC_MPIIO,
	WEIR_TRAFFIC_HDF5,
	WEIR_TRAFFIC_PNETCDF,
};

#define WEIR_TRAFFIC_READ  1
#define WEIR_TRAFFIC_WRITE 2
#define WEIR_TRAFFIC_BOTH  (WEIR_TRAFFIC_READ | WEIR_TRAFFIC_WRITE)

/* Which requests are wanted. */
struct weir_traffic_choice {
	const char *process;  /* word; NULL: all */
	const char *file;     /* glob, for who reads sums of calls */
	const uint8_t *files; /* by number of the name; NULL: all */
	uint64_t from, to;    /* when they begin, ns since the trace's begin */
	enum weir_traffic_layer layer;
	int ways;
	int marks; /* marks are wanted too */
};

enum weir_traffic_kind {
	WEIR_TRAFFIC_REQUEST,
	WEIR_TRAFFIC_END,  /* of an asynchronous one */
	WEIR_TRAFFIC_MARK, /* of the program itself */
	WEIR_TRAFFIC_SUM,  /* many calls at once: a WEIR_NOTE_SUM */
};

struct weir_traffic_item {
	enum weir_traffic_kind kind;
	struct weir_event event; /* its detail lives up to the next item */
	const struct weir_call *call;
	uint64_t start; /* ns since the trace's begin */
	uint64_t bytes; /* moved; not known of a request that is `open` */
	uint64_t tag;	/* END: as it was given for the request */
	int ways;	/* REQUEST: a copy between files goes both */
	int open;	/* REQUEST: an END may follow */
};

/* Wants weir_traffic_fini. */
struct weir_traffic {
	struct weir_reader *reader; /* borrowed */
	struct weir_traffic_choice choice;
	struct weir_traffic_known *known; /* by number of the call */
	struct weir_map open;  /* asynchronous requests: key to tag */
	struct weir_map again; /* how many more have that key */
	uint64_t last_key;    /* of the last open request */
	uint64_t entered;     /* requests that never returned; left out */
	uint64_t unseen;      /* whose end was not seen */
	int has_short;	      /* records that do not tell layers */
	int has_sums;
};

/* Sets the reader's filters. 0 or -ENOMEM. */
int weir_traffic_init(struct weir_traffic *traffic, struct weir_reader *reader,
		      const struct weir_traffic_choice *choice);
void weir_traffic_fini(struct weir_traffic *traffic);

/* 1 and the next item by start; 0 after the last; -errno. */
int weir_traffic_next(struct weir_traffic *traffic,
		      struct weir_traffic_item *ret_item);

/*
 * What the END of the request that was handed out last, an open one, is to
 * carry; not 0. 0 or -ENOMEM.
 */
int weir_traffic_tag(struct weir_traffic *traffic, uint64_t tag);

/*
 * Which way calls of a sum move bytes in this layer; 0: they do not, or
 * nobody can tell.
 */
int weir_traffic_ways_of(const struct weir_traffic *traffic,
			 const struct weir_call *call);

/* Bytes that a call moved which moves some; of an operation's end, by that. */
uint64_t weir_traffic_moved(const struct weir_event *event,
			    const struct weir_call *call);

#endif
