/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a trace in order, with what analysis asks of each. */
#ifndef WEIR_CALLS_CALLVIEWS_H
#define WEIR_CALLS_CALLVIEWS_H

#include "analyse/calls/callclass.h"
#include "trace/names.h"
#include "trace/reader.h"

#include <stdint.h>

/* Layers are numbered, upwards; 0 is the application itself. */
enum {
	WEIR_SIGHT_APPLICATION,
	WEIR_SIGHT_DISK, /* at I/O nodes, as the next */
	WEIR_SIGHT_SERVER,
	WEIR_SIGHT_BACKEND, /* in our daemon, as the next */
	WEIR_SIGHT_SERVE,
	WEIR_SIGHT_CLIENT, /* of a file system, or of our daemon */
	WEIR_SIGHT_POSIX,
	WEIR_SIGHT_STDIO,
	WEIR_SIGHT_ASYNC,
	WEIR_SIGHT_COMM,
	WEIR_SIGHT_MPIIO,
	WEIR_SIGHT_HDF5,
	WEIR_SIGHT_PNETCDF,
	WEIR_SIGHT_MARK,
	WEIR_SIGHT_OTHER, /* of a later version */
	WEIR_SIGHT_LAYERS,
};

const char *weir_sights_layer_name(unsigned layer);

/* Whether its calls are made elsewhere, by who works for the application. */
int weir_sights_is_far(unsigned layer);

/* What a call is by itself; NULL: not known. */
uint8_t weir_sights_layer_of(const struct weir_call *call);
int weir_sights_is_setup(const struct weir_call *call);

/* What else is known of a call. */
enum {
	WEIR_SIGHT_COLLECTIVE = 1,   /* all ranks make it together */
	WEIR_SIGHT_CREATES = 2,	     /* opens, and makes what is not there */
	WEIR_SIGHT_SYNCHRONOUS = 4,  /* opens for writes that wait */
	WEIR_SIGHT_REMOVES = 8,	     /* a name */
	WEIR_SIGHT_LOOKS = 16,	     /* for a name, without opening it */
	WEIR_SIGHT_MEANT_TOGETHER = 32, /* was to be collective, */
	WEIR_SIGHT_WENT_APART = 64,  /* and was not */
	WEIR_SIGHT_TOLD_WHERE = 128, /* its place is an argument */
	WEIR_SIGHT_SETUP = 256,	     /* starts or ends a library: no I/O */
	WEIR_SIGHT_CHANNEL = 512,    /* a pipe or the like: waits for others */
	WEIR_SIGHT_LOCKS = 1024,     /* or unlocks: others see what was done */
	WEIR_SIGHT_CONTROLS = 2048,  /* fcntl() */
	WEIR_SIGHT_RENAMES = 4096,   /* gives the file another name */
	WEIR_SIGHT_LIVE = 8192,	     /* /proc and the like: never the same */
	WEIR_SIGHT_MEMORY = 16384,   /* /dev/shm: no storage */
	WEIR_SIGHT_ASKS = 32768,     /* an MPI for hints */
	WEIR_SIGHT_TOGETHER = 65536, /* for a collective call, below it */
	WEIR_SIGHT_MAPS = 131072,    /* mmap() */
	WEIR_SIGHT_FILLS = 262144,   /* the file gets bytes, by other ways */
	WEIR_SIGHT_ECHO = 524288,    /* of a copy, told of its other file */
	WEIR_SIGHT_PLANS = 1048576,  /* tells of a setting of the plan */
	WEIR_SIGHT_DIRECT = 2097152, /* opens for I/O without a cache */
	WEIR_SIGHT_BEHIND = 4194304, /* how a file is forwarded: no call */
	WEIR_SIGHT_LIES = 8388608,   /* bytes lie in memory so long: no work */
};

/* The kind of an argument with the hints that were asked for. */
#define WEIR_SIGHTS_ASKED "masked"

struct weir_sight {
	struct weir_event event;
	uint64_t real;	/* CLOCK_REALTIME of its start */
	uint64_t moved; /* bytes, 0 when it failed or moves none */
	uint32_t file;	/* number in the names; 0: none, or not known */
	uint32_t whole; /* likewise: the file that it is an object in */
	uint32_t pair;	/* of file and process, from 1; 0: too many, or none */
	uint8_t class;
	uint8_t layer;
	uint8_t top;   /* layer of the application's call that caused it */
	uint8_t above; /* layer of the call that made it */
	uint32_t marks; /* WEIR_SIGHT_COLLECTIVE ... */
	uint8_t fresh; /* the first call of its process on its file */
	uint32_t renames; /* of all files, until now */
	uint64_t unit; /* an open tells: bytes of a stripe; 0: not known */
};

/* Whether its time is time in I/O, for the application's own calls. */
static inline int weir_sight_counts(const struct weir_sight *sight)
{
	return !(sight->marks & (WEIR_SIGHT_SETUP | WEIR_SIGHT_CHANNEL));
}

struct weir_sights_filter {
	const char *process; /* NULL: all */
	const char *file;    /* glob; NULL: all */
	/*
	 * Those on other files too, with UINT32_MAX for the file, and notes of
	 * losses: for who wants to know who called whom.
	 */
	int everything;
};

/*
 * So many pairs of a file and a process are looked at closely; numbered by
 * who reads, so that it does not matter how the work is divided.
 */
#define WEIR_SIGHTS_PAIRS (UINT32_C(128) << 10)

struct weir_sights;

/* Where there are more files, names and rows need some of that memory. */
#define WEIR_SIGHTS_FILES (UINT32_C(2) * WEIR_SIGHTS_PAIRS)

/* Numbers fewer pairs: before the first call. */
void weir_sights_limit(struct weir_sights *sights, uint32_t pairs);

/*
 * All are borrowed; names, which need no values before, go on from those of the
 * reader, with their numbers.
 */
int weir_sights_new(struct weir_reader *reader,
		    const struct weir_sights_filter *filter,
		    struct weir_names *names, struct weir_sights **ret_sights);
void weir_sights_free(struct weir_sights *sights);

/*
 * 1 and the next call or note of sums that the filter lets pass, 0 after the
 * last, -errno. Its detail is valid until the next one is asked for. A copy
 * from file to file comes twice, the second time as an ECHO, unless everything
 * is asked for.
 */
int weir_sights_next(struct weir_sights *sights, struct weir_sight *ret_sight);

/*
 * Our number of a name that is not an event's; UINT32_MAX: the filter leaves
 * it out. NULL: the calls on no file. 0 or -ENOMEM.
 */
int weir_sights_number(struct weir_sights *sights, const char *name,
		       size_t len, uint32_t *ret_number);

/* Numbers the two: 1 and a new number, 0 and that from before, -ENOMEM. */
int weir_sights_pair(struct weir_sights *sights, uint32_t file, uint32_t proc,
		     uint32_t *ret_pair);

/* What is known of a call; NULL: nothing. */
const struct weir_call *weir_sights_call(const struct weir_sights *sights,
					 uint16_t call);
enum weir_callclass weir_sights_class(const struct weir_sights *sights,
				      uint16_t call);
/* Whether there were more pairs than have numbers. */
int weir_sights_overflowed(const struct weir_sights *sights);

/* Whether any call had a site. */
int weir_sights_has_sites(const struct weir_sights *sights);

void weir_sights_meet(struct weir_sights *sights, uint32_t proc,
		      uint16_t call);

#endif
