/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of a trace in order, with what analysis asks of each. */
#include "analyse/calls/callviews.h"

#include "analyse/calls/arguments.h"
#include "analyse/calls/lately.h"
#include "analyse/calls/learnt.h"
#include "analyse/calls/links.h"
#include "trace/map.h"
#include "trace/select.h"
#include "trace/sum_layout.h"
#include "trace/trace_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#define UNWANTED WEIR_LEARNT_UNWANTED
#define CALLS (UINT16_MAX + 1)
#define DEEPEST 8 /* layers are not nested further */

/* What is open above the next event of a thread, and its last file. */
struct thread {
	uint8_t layers[DEEPEST]; /* by depth */
	uint8_t together; /* a bit for each: collective, or below one */
	uint32_t file, pair;
};

/* What a call is, found out once. */
struct known {
	const struct weir_call *call;
	uint8_t class, layer, met;
	uint32_t marks;
};

struct weir_sights {
	struct weir_reader *reader;
	const struct weir_sights_filter *filter;
	struct weir_learnt learnt;
	struct known *known; /* by id of the call */
	struct thread *threads;
	uint32_t thread_count, thread_room;
	struct weir_map thread_index; /* process and thread to number + 1 */
	struct weir_map pairs; /* file and process to number */
	uint32_t pair_count, most_pairs, renames;
	struct weir_lately opened; /* process and descriptor to the file + 1 */
	struct weir_sight echo; /* to be handed out next, with a file */
	int overflowed, has_sites;
	uint64_t last_key; /* of the thread before, which often comes again */
	uint32_t last_thread;
};

static const char *const layer_names[WEIR_SIGHT_LAYERS] = {
	[WEIR_SIGHT_APPLICATION] = "application",
	[WEIR_SIGHT_DISK] = "disk",
	[WEIR_SIGHT_SERVER] = "server",
	[WEIR_SIGHT_BACKEND] = "backend",
	[WEIR_SIGHT_SERVE] = "serve",
	[WEIR_SIGHT_POSIX] = "posix",
	[WEIR_SIGHT_STDIO] = "stdio",
	[WEIR_SIGHT_ASYNC] = "async",
	[WEIR_SIGHT_CLIENT] = "client",
	[WEIR_SIGHT_COMM] = "comm",
	[WEIR_SIGHT_MPIIO] = "mpiio",
	[WEIR_SIGHT_HDF5] = "hdf5",
	[WEIR_SIGHT_PNETCDF] = "pnetcdf",
	[WEIR_SIGHT_MARK] = "mark",
	[WEIR_SIGHT_OTHER] = "other",
};

const char *weir_sights_layer_name(unsigned layer)
{
	return layer_names[layer < WEIR_SIGHT_LAYERS ? layer :
						       WEIR_SIGHT_OTHER];
}

int weir_sights_is_far(unsigned layer)
{
	return layer == WEIR_SIGHT_SERVE || layer == WEIR_SIGHT_BACKEND;
}

uint8_t weir_sights_layer_of(const struct weir_call *call)
{
	if (!call || !call->layer)
		return WEIR_SIGHT_OTHER;
	for (uint8_t i = 1; i < WEIR_SIGHT_OTHER; i++)
		if (!strcmp(call->layer, layer_names[i]))
			return i;
	return WEIR_SIGHT_OTHER;
}

/* What names of calls say. */
static const struct {
	const char *name;
	uint32_t mark;
} named[] = {
	{ "rename", WEIR_SIGHT_RENAMES },   { "renameat", WEIR_SIGHT_RENAMES },
	{ "renameat2", WEIR_SIGHT_RENAMES },
	{ "unlink", WEIR_SIGHT_REMOVES },   { "unlinkat", WEIR_SIGHT_REMOVES },
	{ "remove", WEIR_SIGHT_REMOVES },   { "creat", WEIR_SIGHT_CREATES },
	{ "mkstemp", WEIR_SIGHT_CREATES },  { "mkostemp", WEIR_SIGHT_CREATES },
	{ "mkstemps", WEIR_SIGHT_CREATES }, { "mkostemps", WEIR_SIGHT_CREATES },
	{ "access", WEIR_SIGHT_LOOKS },	    { "faccessat", WEIR_SIGHT_LOOKS },
	{ "eaccess", WEIR_SIGHT_LOOKS },    { "readlink", WEIR_SIGHT_LOOKS },
	{ "readlinkat", WEIR_SIGHT_LOOKS }, { "stat", WEIR_SIGHT_LOOKS },
	{ "lstat", WEIR_SIGHT_LOOKS },	    { "fstatat", WEIR_SIGHT_LOOKS },
	{ "statx", WEIR_SIGHT_LOOKS },	    { "MPI_Init", WEIR_SIGHT_SETUP },
	{ "MPI_Init_thread", WEIR_SIGHT_SETUP },
	{ "MPI_Finalize", WEIR_SIGHT_SETUP },
	{ "fcntl", WEIR_SIGHT_CONTROLS },
	{ "mmap", WEIR_SIGHT_MAPS },	    { "sendfile", WEIR_SIGHT_FILLS },
	{ "flock", WEIR_SIGHT_LOCKS },	    { "lockf", WEIR_SIGHT_LOCKS },
	{ "plan_effect", WEIR_SIGHT_PLANS },
	{ "forward", WEIR_SIGHT_BEHIND },
	{ "forward_ask", WEIR_SIGHT_BEHIND },
};

/* Told where to go, it leaves alone from where the next call would go on. */
static uint32_t marks_of_arguments(const struct weir_call *call)
{
	uint32_t marks = 0;

	for (uint32_t i = 0; i < call->argument_count; i++) {
		const struct weir_kind *kind = call->arguments[i].kind;

		if (kind->place == WEIR_PLACE_OFF)
			marks |= WEIR_SIGHT_TOLD_WHERE;
		if (!strcmp(kind->name, WEIR_SIGHTS_ASKED))
			marks |= WEIR_SIGHT_ASKS;
	}
	return marks;
}

static uint32_t marks_of(const struct weir_call *call)
{
	if (!call)
		return 0;
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (!strcmp(call->name, named[i].name))
			return named[i].mark;
	/* As the names of MPI-IO and PnetCDF say it. */
	if (strstr(call->name, "_all") || strstr(call->name, "_ordered"))
		return WEIR_SIGHT_COLLECTIVE;
	return marks_of_arguments(call);
}

int weir_sights_is_setup(const struct weir_call *call)
{
	return (marks_of(call) & WEIR_SIGHT_SETUP) != 0;
}

int weir_sights_new(struct weir_reader *reader,
		    const struct weir_sights_filter *filter,
		    struct weir_names *names, struct weir_sights **ret_sights)
{
	struct weir_sights *sights = calloc(1, sizeof(*sights));

	if (!sights)
		return -ENOMEM;
	sights->reader = reader;
	sights->filter = filter;
	sights->most_pairs = WEIR_SIGHTS_PAIRS;
	sights->known = calloc(CALLS, sizeof(*sights->known));
	if (!sights->known ||
	    weir_learnt_init(&sights->learnt, reader, names, filter->file)) {
		weir_sights_free(sights);
		return -ENOMEM;
	}
	if (filter->process)
		weir_select_process(reader, filter->process);
	*ret_sights = sights;
	return 0;
}

void weir_sights_limit(struct weir_sights *sights, uint32_t pairs)
{
	sights->most_pairs = pairs;
}

void weir_sights_free(struct weir_sights *sights)
{
	if (!sights)
		return;
	free(sights->known);
	weir_learnt_fini(&sights->learnt);
	free(sights->threads);
	weir_map_fini(&sights->thread_index);
	weir_map_fini(&sights->pairs);
	weir_lately_fini(&sights->opened);
	free(sights);
}

int weir_sights_number(struct weir_sights *sights, const char *name,
		       size_t len, uint32_t *ret_number)
{
	return weir_learnt_number(&sights->learnt, name, len, ret_number);
}

/* One of several records that are stored together, each from its arrival. */
static uint32_t lies_of(const struct weir_call *call)
{
	return call->has_batch && call->has_cause ? WEIR_SIGHT_LIES : 0;
}

void weir_sights_meet(struct weir_sights *sights, uint32_t proc, uint16_t call)
{
	struct weir_event event = { .proc = proc, .call = call };
	struct known *known = &sights->known[call];

	if (known->call)
		return;
	known->call = weir_reader_call(sights->reader, &event);
	known->class = (uint8_t)weir_callclass_of(known->call);
	known->layer = weir_sights_layer_of(known->call);
	known->marks = marks_of(known->call);
	if (weir_sights_is_far(known->layer))
		known->marks = WEIR_SIGHT_BEHIND | lies_of(known->call);
	known->met = 1;
}

const struct weir_call *weir_sights_call(const struct weir_sights *sights,
					 uint16_t call)
{
	return sights->known[call].call;
}

enum weir_callclass weir_sights_class(const struct weir_sights *sights,
				      uint16_t call)
{
	return sights->known[call].met ? sights->known[call].class :
					 WEIR_CLASS_OTHER;
}

int weir_sights_overflowed(const struct weir_sights *sights)
{
	return sights->overflowed;
}

int weir_sights_has_sites(const struct weir_sights *sights)
{
	return sights->has_sites;
}

static int add_thread(struct weir_sights *sights, uint64_t key)
{
	uint32_t room = sights->thread_room ? sights->thread_room * 2 : 16;
	struct thread *threads = sights->threads;

	if (sights->thread_count == sights->thread_room) {
		threads = realloc(threads, room * sizeof(*threads));
		if (!threads)
			return -ENOMEM;
		sights->threads = threads;
		sights->thread_room = room;
	}
	memset(&threads[sights->thread_count], 0, sizeof(*threads));
	return weir_map_put(&sights->thread_index, key,
			    ++sights->thread_count);
}

static int find_thread(struct weir_sights *sights,
		       const struct weir_event *event)
{
	uint64_t key = (uint64_t)event->proc << 32 | event->thread;
	uint64_t number;
	int err;

	if (key == sights->last_key && sights->thread_count)
		return 0;
	number = weir_map_get(&sights->thread_index, key);
	if (!number) {
		err = add_thread(sights, key);
		if (err)
			return err;
		number = sights->thread_count;
	}
	sights->last_key = key;
	sights->last_thread = (uint32_t)number - 1;
	return 0;
}

static void note_together(struct thread *thread, struct weir_sight *sight)
{
	unsigned depth = sight->event.depth;
	unsigned own = 1u << (depth < DEEPEST ? depth : DEEPEST - 1);

	if (depth && thread->together & (depth < DEEPEST ? own >> 1 : own))
		sight->marks |= WEIR_SIGHT_TOGETHER;
	if (depth >= DEEPEST)
		return;
	thread->together &= (uint8_t)~own;
	if (sight->marks & (WEIR_SIGHT_TOGETHER | WEIR_SIGHT_COLLECTIVE))
		thread->together |= (uint8_t)own;
}

/* Parents come before children, so what is above is what came last. */
static void place(struct weir_sights *sights, struct weir_sight *sight)
{
	struct thread *thread = &sights->threads[sights->last_thread];
	uint8_t *layers = thread->layers;
	uint8_t depth = sight->event.depth;

	sight->above = WEIR_SIGHT_APPLICATION;
	sight->top = sight->layer;
	if (depth)
		sight->above = layers[(depth < DEEPEST ? depth : DEEPEST) - 1];
	if (depth && layers[0])
		sight->top = layers[0];
	if (depth < DEEPEST)
		layers[depth] = sight->marks & WEIR_SIGHT_SETUP ?
					WEIR_SIGHT_APPLICATION : sight->layer;
	note_together(thread, sight);
}

int weir_sights_pair(struct weir_sights *sights, uint32_t file, uint32_t proc,
		     uint32_t *ret_pair)
{
	uint64_t key = (uint64_t)file << 32 | proc;
	int err;

	*ret_pair = (uint32_t)weir_map_get(&sights->pairs, key);
	if (*ret_pair || !file)
		return 0;
	if (sights->pair_count == sights->most_pairs) {
		sights->overflowed = 1;
		return 0;
	}
	*ret_pair = ++sights->pair_count;
	err = weir_map_put(&sights->pairs, key, *ret_pair);
	return err ? err : 1;
}

/* Most calls of a thread are on the file of the one before. */
static int number_pair(struct weir_sights *sights, struct weir_sight *sight)
{
	struct thread *thread = &sights->threads[sights->last_thread];
	int fresh = 0;

	sight->pair = sight->fresh = 0;
	if (sight->event.flags & WEIR_EVENT_ENTERED ||
	    sight->layer == WEIR_SIGHT_MARK ||
	    sight->marks & WEIR_SIGHT_BEHIND)
		return 0; /* in no sum, so it is not the first either */
	if (thread->file != sight->file)
		fresh = weir_sights_pair(sights, sight->file,
					 sight->event.proc, &thread->pair);
	thread->file = sight->file;
	sight->pair = thread->pair;
	sight->fresh = fresh > 0;
	return fresh < 0 ? fresh : 0;
}

/* Libraries that return no number of bytes are believed to move all. */
static uint64_t moved(const struct weir_sight *sight)
{
	const struct weir_event *event = &sight->event;

	if (event->flags & WEIR_EVENT_FAILED ||
	    !weir_callclass_moves(sight->class))
		return 0;
	if (sight->layer == WEIR_SIGHT_HDF5 ||
	    sight->layer == WEIR_SIGHT_PNETCDF)
		return event->size;
	return event->ret > 0 ? (uint64_t)event->ret : 0;
}

/* fcntl() does many things; its command is the event's size. */
static int is_lock(const struct weir_sight *sight)
{
	const uint64_t commands[] = { F_SETLK, F_SETLKW, F_OFD_SETLK,
				      F_OFD_SETLKW };

	if (!(sight->marks & WEIR_SIGHT_CONTROLS))
		return 0;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (sight->event.size == commands[i])
			return 1;
	return 0;
}

/* The call that an event tells of: of sums, the one that was summed up. */
static uint16_t call_told(const struct weir_event *event)
{
	struct weir_sum sum;

	if (event->call != WEIR_NOTE_SUM || event->detail_len != sizeof(sum))
		return event->call;
	memcpy(&sum, event->detail, sizeof(sum));
	return (uint16_t)sum.key;
}

/* Its parts have told the time and the bytes. */
static void be_within(struct weir_sight *sight)
{
	sight->moved = 0;
	if (!sight->event.depth)
		sight->above = sight->layer;
}

static int describe(struct weir_sights *sights, struct weir_sight *sight)
{
	const struct weir_event *event = &sight->event;
	int err = find_thread(sights, event);

	if (err)
		return err;
	sights->has_sites |= (event->flags & WEIR_EVENT_SITE) != 0;
	weir_sights_meet(sights, event->proc, call_told(event));
	sight->class = sights->known[event->call].class;
	sight->layer = sights->known[event->call].layer;
	sight->marks = sights->known[event->call].marks;
	sight->real = weir_reader_real(sights->reader, event);
	sight->moved = moved(sight);
	sight->unit = 0;
	if (is_lock(sight))
		sight->marks |= WEIR_SIGHT_LOCKS;
	sights->renames += (sight->marks & WEIR_SIGHT_RENAMES) != 0;
	sight->renames = sights->renames;
	place(sights, sight);
	if (weir_links_does_batch(sights->known[event->call].call))
		be_within(sight);
	weir_arguments_read(sights->known[event->call].call, sight);
	return 0;
}

static uint64_t opened_key(const struct weir_event *event, int64_t fd)
{
	return (uint64_t)event->proc << 32 | (uint32_t)fd;
}

/* Which file a descriptor stands for, as its last open told. */
static int note_open(struct weir_sights *sights,
		     const struct weir_sight *sight)
{
	const struct weir_event *event = &sight->event;
	uint64_t before;

	if (sight->class != WEIR_CLASS_OPEN ||
	    sight->layer != WEIR_SIGHT_POSIX || event->ret < 0)
		return 0;
	return weir_lately_swap(&sights->opened, opened_key(event, event->ret),
				event->file + UINT64_C(1), &before);
}

/* Only of files that the process has been seen with, so that it is no news. */
static int make_echo(struct weir_sights *sights,
		     const struct weir_sight *sight)
{
	struct weir_sight *echo = &sights->echo;
	const struct known *known = &sights->known[sight->event.call];
	int32_t fd;
	int err;

	echo->file = 0;
	if (sight->class != WEIR_CLASS_COPY || !sight->moved ||
	    sights->filter->everything ||
	    !weir_arguments_other(known->call, &sight->event, &fd))
		return 0;
	*echo = *sight;
	echo->event.detail_len = echo->event.handle = 0;
	echo->event.file = (uint32_t)weir_lately_get(
		&sights->opened, opened_key(&sight->event, fd)) - 1;
	echo->marks = (known->marks ^ WEIR_SIGHT_FILLS) | WEIR_SIGHT_ECHO;
	err = weir_learnt_tell(&sights->learnt, echo);
	if (err)
		return err;
	echo->pair = (uint32_t)weir_map_get(&sights->pairs,
					    (uint64_t)echo->file << 32 |
					    echo->event.proc);
	if (echo->file == UNWANTED || !echo->pair)
		echo->file = 0;
	return 0;
}

int weir_sights_next(struct weir_sights *sights, struct weir_sight *ret_sight)
{
	struct weir_event *event = &ret_sight->event;
	int more, err;

	if (sights->echo.file) {
		*ret_sight = sights->echo;
		sights->echo.file = 0;
		return 1;
	}
	while ((more = weir_reader_next(sights->reader, event)) > 0) {
		if (event->call == WEIR_NOTE_LOSS && sights->filter->everything)
			return 1;
		if (event->call >= WEIR_NOTE_FIRST &&
		    event->call != WEIR_NOTE_SUM)
			continue;
		err = describe(sights, ret_sight);
		err = err ? err : note_open(sights, ret_sight);
		err = err ? err : weir_learnt_tell(&sights->learnt, ret_sight);
		err = err ? err : make_echo(sights, ret_sight);
		if (err)
			return err;
		if (ret_sight->file == UNWANTED && sights->filter->everything)
			return 1;
		if (ret_sight->file == UNWANTED && sights->echo.file)
			return weir_sights_next(sights, ret_sight);
		if (ret_sight->file == UNWANTED)
			continue;
		err = number_pair(sights, ret_sight);
		return err ? err : 1;
	}
	return more;
}
