/* SPDX-License-Identifier: BSD-3-Clause */
/* What one process does with one file besides moving bytes. */
#include "analyse/uses.h"

#include "spec/findings.h"
#include "trace/trace_layout.h"

#include <errno.h>
#include <stdlib.h>

/* Fewer bytes between two syncs than a disk would like. */
#define SYNCED_FEW (UINT64_C(1) << 20)

void weir_uses_fini(struct weir_uses *uses)
{
	free(uses->list);
	weir_map_fini(&uses->index);
	*uses = (struct weir_uses){ 0 };
}

static int make_room(struct weir_uses *uses)
{
	size_t room = uses->room ? uses->room + uses->room / 2 : 16;
	struct weir_use *list;

	if (uses->count < uses->room)
		return 0;
	list = realloc(uses->list, room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	uses->list = list;
	uses->room = room;
	return 0;
}

static struct weir_use *find(struct weir_uses *uses,
			     const struct weir_sight *sight)
{
	uint64_t at = weir_map_get(&uses->index, sight->pair);

	if (at)
		return &uses->list[at - 1];
	if (make_room(uses) ||
	    weir_map_put(&uses->index, sight->pair, uses->count + 1))
		return NULL;
	uses->list[uses->count] = (struct weir_use){
		.file = sight->file, .proc = sight->event.proc,
	};
	return &uses->list[uses->count++];
}

/* One call of which a rule is suspicious, and could do without it. */
static int note(struct weir_clues *clues, uint32_t rule,
		const struct weir_use *use, uint64_t bytes,
		struct weir_witness witness)
{
	const struct weir_clue clue = {
		.rule = rule, .file = use->file, .proc = use->proc,
		.count = 1, .bytes = bytes, .time = witness.dur,
		.saving = witness.dur, .witness = witness,
	};

	return weir_clues_add(clues, &clue);
}

static int failed(const struct weir_sight *sight)
{
	return sight->event.flags & WEIR_EVENT_FAILED;
}

static int take_open(struct weir_use *use, struct weir_clues *clues,
		     const struct weir_sight *sight)
{
	struct weir_witness witness = weir_witness_of(&sight->event);

	if (failed(sight))
		return sight->event.err == ENOENT ?
			       note(clues, WEIR_RULE_MISSING_FILES, use, 0,
				    witness) : 0;
	use->opens++;
	use->open_time += sight->event.dur;
	use->created |= (sight->marks & WEIR_SIGHT_CREATES) != 0;
	use->synchronous = (sight->marks & WEIR_SIGHT_SYNCHRONOUS) != 0;
	use->handle = 0;
	weir_witness_take(&use->slowest_open, witness);
	return 0;
}

static int take_close(struct weir_use *use, struct weir_clues *clues,
		      const struct weir_sight *sight)
{
	use->closes++;
	use->close_time += sight->event.dur;
	use->handle = 0;
	return 0;
}

/* Nothing new can be learnt of a file that nobody here has changed. */
static int take_look(struct weir_use *use, struct weir_clues *clues,
		     const struct weir_sight *sight)
{
	struct weir_witness witness = weir_witness_of(&sight->event);
	int known = use->unchanged;

	if (failed(sight))
		return sight->event.err == ENOENT ?
			       note(clues, WEIR_RULE_MISSING_FILES, use, 0,
				    witness) : 0;
	use->looks++;
	use->unchanged = 1;
	return known ? note(clues, WEIR_RULE_REPEATED_STATS, use, 0, witness) :
		       0;
}

static int take_seek(struct weir_use *use, struct weir_clues *clues,
		     const struct weir_sight *sight)
{
	const struct weir_event *event = &sight->event;
	int idle = use->handle == event->handle && event->handle &&
		   use->position == (uint64_t)event->ret;

	if (failed(sight))
		return 0;
	use->seeks++;
	use->seek_time += event->dur;
	if (sight->layer != WEIR_SIGHT_POSIX)
		return 0; /* a stream's position is not its descriptor's */
	use->handle = event->handle;
	use->position = (uint64_t)event->ret;
	use->seek = (struct weir_use_seek){ .thread = 0 };
	if (idle)
		return note(clues, WEIR_RULE_IDLE_SEEKS, use, 0,
			    weir_witness_of(event));
	use->seek.thread = event->thread;
	use->seek.handle = event->handle;
	use->seek.to = (uint64_t)event->ret;
	use->seek.witness = weir_witness_of(event);
	return 0;
}

static int take_sync(struct weir_use *use, struct weir_clues *clues,
		     const struct weir_sight *sight)
{
	uint64_t bytes = use->unsynced;

	if (failed(sight))
		return 0;
	use->unsynced = 0;
	if (!use->syncs++ || bytes >= SYNCED_FEW)
		return 0;
	return note(clues, WEIR_RULE_FREQUENT_SYNCS, use, bytes,
		    weir_witness_of(&sight->event));
}

/* A seek and what it was for could be one call. */
static int end_seek(struct weir_use *use, struct weir_clues *clues,
		    const struct weir_event *event)
{
	struct weir_use_seek seek = use->seek;

	use->seek.thread = 0;
	if (!seek.thread || seek.thread != event->thread ||
	    seek.handle != event->handle ||
	    event->flags & WEIR_EVENT_NOOFF || seek.to != (uint64_t)event->off)
		return 0;
	return note(clues, WEIR_RULE_SEEK_PAIRS, use, event->size,
		    seek.witness);
}

/* Written back where it was read: only a part of it can have changed. */
static int end_read(struct weir_use *use, struct weir_clues *clues,
		    const struct weir_sight *sight)
{
	const struct weir_event *event = &sight->event;
	uint64_t from = (uint64_t)event->off, to = from + sight->moved;
	struct weir_use_read read = use->last;
	struct weir_witness witness = weir_witness_of(event);

	use->last.thread = 0;
	if (!read.thread || read.thread != event->thread || !sight->moved ||
	    event->flags & WEIR_EVENT_NOOFF || from != read.from ||
	    to < read.to)
		return 0;
	witness.dur = read.dur; /* what could be saved is the reading */
	return note(clues, WEIR_RULE_READ_MODIFY_WRITE, use, to - from,
		    witness);
}

static int take_write(struct weir_use *use, struct weir_clues *clues,
		      const struct weir_sight *sight)
{
	struct weir_witness witness = weir_witness_of(&sight->event);

	use->unchanged = 0;
	use->unsynced += sight->moved;
	use->written += sight->moved;
	use->writes++;
	use->write_time += sight->event.dur;
	weir_witness_take(&use->slowest_write, witness);
	if (use->synchronous) {
		int err = note(clues, WEIR_RULE_SYNCHRONOUS_WRITES, use,
			       sight->moved, witness);

		if (err)
			return err;
	}
	return end_read(use, clues, sight);
}

static void remember_read(struct weir_use *use, const struct weir_sight *sight)
{
	const struct weir_event *event = &sight->event;

	use->read += sight->moved;
	use->last = (struct weir_use_read){ .thread = 0 };
	if (!sight->moved || event->flags & WEIR_EVENT_NOOFF)
		return;
	use->last.thread = event->thread;
	use->last.from = (uint64_t)event->off;
	use->last.to = (uint64_t)event->off + sight->moved;
	use->last.dur = event->dur;
}

static int take_transfer(struct weir_use *use, struct weir_clues *clues,
			 const struct weir_sight *sight)
{
	const struct weir_event *event = &sight->event;
	int err = 0;

	if (!(sight->marks & WEIR_SIGHT_TOLD_WHERE)) {
		err = end_seek(use, clues, event);
		use->handle =
			event->flags & WEIR_EVENT_NOOFF ? 0 : event->handle;
		use->position = (uint64_t)event->off + sight->moved;
	}
	if (err)
		return err;
	if (sight->class == WEIR_CLASS_WRITE ||
	    sight->class == WEIR_CLASS_DRAIN)
		return take_write(use, clues, sight);
	remember_read(use, sight);
	return 0;
}

static int take_other(struct weir_use *use, struct weir_clues *clues,
		      const struct weir_sight *sight)
{
	if (sight->marks & WEIR_SIGHT_REMOVES && !failed(sight))
		use->removed = 1;
	if (sight->marks & WEIR_SIGHT_LOOKS)
		return take_look(use, clues, sight);
	use->unchanged = 0;
	return 0;
}

typedef int taker(struct weir_use *use, struct weir_clues *clues,
		  const struct weir_sight *sight);

static taker *const takers[WEIR_CLASS_COUNT] = {
	[WEIR_CLASS_OPEN] = take_open,	   [WEIR_CLASS_CLOSE] = take_close,
	[WEIR_CLASS_READ] = take_transfer, [WEIR_CLASS_WRITE] = take_transfer,
	[WEIR_CLASS_FILL] = take_transfer, [WEIR_CLASS_DRAIN] = take_transfer,
	[WEIR_CLASS_SEEK] = take_seek,	   [WEIR_CLASS_STAT] = take_look,
	[WEIR_CLASS_SYNC] = take_sync,	   [WEIR_CLASS_OTHER] = take_other,
};

/* What a program asks of libraries shows in what they ask of the system. */
int weir_uses_take(struct weir_uses *uses, struct weir_clues *clues,
		   const struct weir_sight *sight)
{
	struct weir_use *use;

	if (sight->layer > WEIR_SIGHT_ASYNC || !takers[sight->class])
		return 0;
	use = find(uses, sight);
	if (!use)
		return -ENOMEM;
	if (sight->class != WEIR_CLASS_FILL && sight->class != WEIR_CLASS_DRAIN)
		use->time += sight->event.dur;
	return takers[sight->class](use, clues, sight);
}
