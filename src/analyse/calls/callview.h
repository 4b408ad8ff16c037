/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of a trace as analysis sees it: a call view. */
#ifndef WEIR_CALLS_CALLVIEW_H
#define WEIR_CALLS_CALLVIEW_H

#include "analyse/calls/callclass.h"
#include "trace/event/pending.h"
#include "trace/layout/event.h"

#include <stdint.h>

/* Layers are numbered, upwards; 0 is the application itself. */
enum {
	WEIR_CALLVIEW_APPLICATION,
	WEIR_CALLVIEW_DISK, /* at I/O nodes, as the next */
	WEIR_CALLVIEW_SERVER,
	WEIR_CALLVIEW_BACKEND, /* in our daemon, as the next */
	WEIR_CALLVIEW_SERVE,
	WEIR_CALLVIEW_CLIENT, /* of a file system, or of our daemon */
	WEIR_CALLVIEW_POSIX,
	WEIR_CALLVIEW_STDIO,
	WEIR_CALLVIEW_ASYNC,
	WEIR_CALLVIEW_COMM,
	WEIR_CALLVIEW_MPIIO,
	WEIR_CALLVIEW_HDF5,
	WEIR_CALLVIEW_PNETCDF,
	WEIR_CALLVIEW_MARK,
	WEIR_CALLVIEW_OTHER, /* of a later version */
	WEIR_CALLVIEW_LAYERS,
};

/* What else is known of a call. */
enum {
	WEIR_CALLVIEW_COLLECTIVE = 1,  /* all ranks make it together */
	WEIR_CALLVIEW_CREATES = 2,     /* opens, and makes what is not there */
	WEIR_CALLVIEW_SYNCHRONOUS = 4, /* opens for writes that wait */
	WEIR_CALLVIEW_REMOVES = 8,     /* a name */
	WEIR_CALLVIEW_LOOKS = 16,      /* for a name, without opening it */
	WEIR_CALLVIEW_MEANT_TOGETHER = 32, /* was to be collective, */
	WEIR_CALLVIEW_WENT_APART = 64,	   /* and was not */
	WEIR_CALLVIEW_TOLD_WHERE = 128,	   /* its place is an argument */
	WEIR_CALLVIEW_SETUP = 256,   /* starts or ends a library: no I/O */
	WEIR_CALLVIEW_CHANNEL = 512, /* a pipe or the like: waits for others */
	WEIR_CALLVIEW_LOCKS = 1024,  /* or unlocks: others see what was done */
	WEIR_CALLVIEW_CONTROLS = 2048,	/* fcntl() */
	WEIR_CALLVIEW_RENAMES = 4096,	/* gives the file another name */
	WEIR_CALLVIEW_LIVE = 8192,	/* /proc and the like: never the same */
	WEIR_CALLVIEW_MEMORY = 16384,	/* /dev/shm: no storage */
	WEIR_CALLVIEW_ASKS = 32768,	/* an MPI for hints */
	WEIR_CALLVIEW_TOGETHER = 65536, /* for a collective call, below it */
	WEIR_CALLVIEW_MAPS = 131072,	/* mmap() */
	WEIR_CALLVIEW_FILLS = 262144,	/* the file gets bytes, by other ways */
	WEIR_CALLVIEW_ECHO = 524288,	/* of a copy, told of its other file */
	WEIR_CALLVIEW_PLANS = 1048576,	/* tells of a setting of the plan */
	WEIR_CALLVIEW_DIRECT = 2097152, /* opens for I/O without a cache */
	WEIR_CALLVIEW_BEHIND = 4194304, /* how a file is forwarded: no call */
	WEIR_CALLVIEW_LIES = 8388608, /* bytes lie in memory so long: no work */
	WEIR_CALLVIEW_SPAWNS = 16777216,  /* starts or ends processes: no I/O */
	WEIR_CALLVIEW_UNTIMED = 33554432, /* nobody knows how long it took */
	/* Says whether ranks see each other's bytes at once; they do. */
	WEIR_CALLVIEW_SAYS_ATOMIC = 67108864,
	WEIR_CALLVIEW_ATOMIC = 134217728,
	WEIR_CALLVIEW_RING = 268435456, /* asynchronous, on what is no file */
	WEIR_CALLVIEW_ADOPTS = 536870912, /* makes a stream of a descriptor */
};

/* The kind of an argument with the hints that were asked for. */
#define WEIR_CALLVIEWS_ASKED "masked"

struct weir_callview {
	struct weir_event event;
	uint64_t real;	/* CLOCK_REALTIME of its start */
	uint64_t began; /* of an end: the same of what ended; 0: not seen */
	uint64_t moved; /* bytes, 0 when it failed or moves none */
	uint32_t file;	/* number in the names; 0: none, or not known */
	uint32_t whole; /* likewise: the file that it is an object in */
	uint32_t pair;	/* of file and process, from 1; 0: too many, or none */
	uint8_t class;
	uint8_t layer;
	uint8_t top;   /* layer of the application's call that caused it */
	uint8_t above; /* layer of the call that made it */
	uint32_t marks; /* WEIR_CALLVIEW_COLLECTIVE ... */
	uint8_t fresh; /* the first call of its process on its file */
	uint8_t is_part; /* of another call on the same file */
	uint8_t way; /* of a completion: WEIR_PENDING_READS ... */
	uint8_t begins; /* of a submission, likewise */
	uint32_t renames; /* of all files, until now */
	uint64_t unit; /* an open tells: bytes of a stripe; 0: not known */
};

/* Marks of calls on what stores nothing by itself. */
#define WEIR_CALLVIEW_NO_FILE (WEIR_CALLVIEW_CHANNEL | WEIR_CALLVIEW_RING)

/* Whether its time is time in I/O, for the application's own calls. */
static inline int weir_callview_counts(const struct weir_callview *view)
{
	return !(view->marks & (WEIR_CALLVIEW_SETUP | WEIR_CALLVIEW_CHANNEL |
				WEIR_CALLVIEW_SPAWNS));
}

/* Whether it tells of bytes that were read, or written. */
static inline int weir_callview_reads(const struct weir_callview *view)
{
	return view->class == WEIR_CLASS_READ ||
	       view->class == WEIR_CLASS_GET ||
	       view->way == WEIR_PENDING_READS;
}

static inline int weir_callview_writes(const struct weir_callview *view)
{
	return view->class == WEIR_CLASS_WRITE ||
	       view->class == WEIR_CLASS_PUT ||
	       view->way == WEIR_PENDING_WRITES;
}

/* Whether its time is that of its file: no other call on it made it. */
static inline int weir_callview_is_of_file(const struct weir_callview *view)
{
	return !(view->marks & (WEIR_CALLVIEW_SETUP | WEIR_CALLVIEW_SPAWNS)) &&
	       !view->is_part && (view->file || !view->event.depth);
}

#endif
