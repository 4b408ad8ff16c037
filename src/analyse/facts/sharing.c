/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where writes of processes meet in a file, and who waits for whom. */
#include "analyse/facts/sharing.h"

#include "analyse/facts/flows.h"
#include "base/grow.h"
#include "base/hash.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>

/*
 * So many blocks are kept; what lies in others is not looked at. More would not
 * fit into caches, and each small write looks for one.
 */
#define BLOCKS	    (UINT64_C(8) << 10)
#define FILE_BLOCKS (UINT64_C(2) << 10)

/* A turn that is worth waiting for moves so much. */
#define TURN (UINT64_C(1) << 20)

#define NEVER UINT64_MAX

/* What one process writes until another does. */
struct turn {
	uint32_t party; /* index + 1; 0: none yet */
	uint64_t begin, end;
	uint64_t gap; /* since all others had ended; NEVER: they had not */
	uint64_t before; /* how long the turn before was */
	struct weir_sharing_sum sum;
};

struct weir_sharing_file {
	uint32_t open; /* so often, as far as we have seen */
	uint32_t age; /* times that it was opened while nobody had it open */
	uint64_t blocks;
	uint64_t unit; /* what the storage deals with at a time */
	uint64_t ended; /* when the last write of anybody was over */
	struct turn turn;
};

/* Part of a file; what its only writer did waits for another one. */
struct weir_sharing_block {
	uint64_t key;
	uint32_t party; /* index; the first that came */
	uint32_t age; /* of the file, when it did */
	uint32_t several;
	struct weir_sharing_sum waiting;
};

void weir_sharing_fini(struct weir_sharing *sharing)
{
	free(sharing->parties);
	free(sharing->sums);
	free(sharing->files);
	free(sharing->blocks);
	weir_bypair_fini(&sharing->party_index);
	weir_map_fini(&sharing->file_index);
	weir_map_fini(&sharing->block_index);
	*sharing = (struct weir_sharing){ 0 };
}

static void add_sum(struct weir_sharing_sum *to,
		    const struct weir_sharing_sum *from)
{
	to->calls += from->calls;
	to->bytes += from->bytes;
	to->time += from->time;
	weir_witness_take(&to->slowest, from->slowest);
}

/* Index + 1 of a file; 0: it is not known. */
static uint64_t find_shared_file(const struct weir_sharing *sharing,
				 uint32_t file)
{
	return weir_map_get(&sharing->file_index, file + UINT64_C(1));
}

static int add_file(struct weir_sharing *sharing, uint32_t file,
		    uint32_t *ret_at)
{
	uint64_t at = find_shared_file(sharing, file);
	int err;

	*ret_at = (uint32_t)at - 1;
	if (at)
		return 0;
	err = WEIR_GROW(sharing->files, sharing->file_count,
			sharing->file_room);
	err = err ? err : weir_map_put(&sharing->file_index,
				       file + UINT64_C(1),
				       sharing->file_count + 1);
	if (err)
		return err;
	*ret_at = (uint32_t)sharing->file_count++;
	sharing->files[*ret_at] =
		(struct weir_sharing_file){ .unit = WEIR_FLOW_PAGE };
	return 0;
}

static struct weir_sharing_party *find_party(struct weir_sharing *sharing,
					     const struct weir_callview *view)
{
	uint32_t *at = weir_bypair_get(&sharing->party_index, view->pair);
	uint32_t file;

	if (!at)
		return NULL;
	if (*at)
		return &sharing->parties[*at - 1];
	if (add_file(sharing, view->file, &file) ||
	    WEIR_GROW(sharing->parties, sharing->party_count,
		      sharing->party_room))
		return NULL;
	sharing->parties[sharing->party_count++] = (struct weir_sharing_party){
		.file = view->file, .proc = view->event.proc, .at = file,
	};
	*at = (uint32_t)sharing->party_count;
	return &sharing->parties[*at - 1];
}

/* Most meet nobody: sums are made for who does. */
static int credit(struct weir_sharing *sharing, uint32_t party, int kind,
		  const struct weir_sharing_sum *sum)
{
	struct weir_sharing_party *to = &sharing->parties[party];

	if (!to->shared) {
		int err = WEIR_GROW(sharing->sums, sharing->sum_count,
				    sharing->sum_room);

		if (err)
			return err;
		sharing->sums[sharing->sum_count++] =
			(struct weir_sharing_sums){ 0 };
		to->shared = (uint32_t)sharing->sum_count;
	}
	add_sum(&sharing->sums[to->shared - 1].of[kind], sum);
	return 0;
}

static int add_block(struct weir_sharing *sharing,
		     const struct weir_sharing_party *party, uint64_t key,
		     uint64_t *ret_at)
{
	struct weir_sharing_file *file = &sharing->files[party->at];
	int err;

	*ret_at = weir_map_get(&sharing->block_index, key);
	if (*ret_at || sharing->block_count == BLOCKS ||
	    file->blocks == FILE_BLOCKS)
		return 0;
	err = WEIR_GROW(sharing->blocks, sharing->block_count,
			sharing->block_room);
	err = err ? err : weir_map_put(&sharing->block_index, key,
				       sharing->block_count + 1);
	if (err)
		return err;
	sharing->blocks[sharing->block_count++] = (struct weir_sharing_block){
		.key = key, .age = UINT32_MAX,
	};
	file->blocks++;
	*ret_at = sharing->block_count;
	return 0;
}

/* The block in which a place lies, index + 1; 0: there are too many. */
static int find_block(struct weir_sharing *sharing,
		      struct weir_sharing_party *party, uint32_t kind,
		      uint64_t number, uint64_t *ret_at)
{
	uint64_t what[] = { (uint64_t)party->at << 32 | kind, number };
	uint64_t key = weir_hash_bytes(what, sizeof(what));
	uint32_t recent = party->recent[kind];
	int err;

	*ret_at = recent;
	if (recent && sharing->blocks[recent - 1].key == key)
		return 0;
	err = add_block(sharing, party, key, ret_at);
	party->recent[kind] = (uint32_t)*ret_at;
	return err;
}

/* Somebody writes in a block; `sum` is what to tell if others do too. */
static int touch(struct weir_sharing *sharing,
		 struct weir_sharing_party *party, uint32_t kind,
		 uint64_t number, const struct weir_sharing_sum *sum)
{
	uint32_t who = (uint32_t)(party - sharing->parties);
	uint32_t age = sharing->files[party->at].age;
	struct weir_sharing_block *block;
	uint64_t at;
	int err = find_block(sharing, party, kind, number, &at);

	if (err || !at)
		return err;
	party->looked[kind] += sum->calls;
	block = &sharing->blocks[at - 1];
	if (block->age != age)
		*block = (struct weir_sharing_block){
			.key = block->key, .age = age, .party = who,
		};
	if (!block->several && block->party != who) {
		block->several = 1;
		if (block->waiting.calls)
			err = credit(sharing, block->party, (int)kind,
				     &block->waiting);
	}
	if (err || !sum->calls)
		return err;
	if (block->several)
		return credit(sharing, who, (int)kind, sum);
	add_sum(&block->waiting, sum);
	return 0;
}

/* Each that begins within a unit is told, where another's end lies too. */
static int take_large(struct weir_sharing *sharing,
		      struct weir_sharing_party *party, uint64_t from,
		      const struct weir_sharing_sum *sum)
{
	const struct weir_sharing_sum none = { 0 };
	uint64_t unit = sharing->files[party->at].unit;
	uint64_t to = from + sum->bytes;
	int err = 0;

	if (from % unit)
		err = touch(sharing, party, WEIR_SHARING_LARGE, from / unit,
			    sum);
	else
		party->looked[WEIR_SHARING_LARGE]++;
	if (err || to % unit == 0)
		return err;
	return touch(sharing, party, WEIR_SHARING_LARGE, to / unit, &none);
}

/* Over soon after all others had ended: they hardly were at work at once. */
static int end_turn(struct weir_sharing *sharing,
		    struct weir_sharing_file *file)
{
	struct turn *turn = &file->turn;
	uint64_t len = turn->end - turn->begin;
	uint64_t longer = len > turn->before ? len : turn->before;

	if (!turn->party || turn->sum.bytes < TURN)
		return 0;
	sharing->parties[turn->party - 1].looked[WEIR_SHARING_TURN]++;
	if (turn->gap > longer)
		return 0;
	turn->sum.calls = 1;
	return credit(sharing, turn->party - 1, WEIR_SHARING_TURN, &turn->sum);
}

static int take_turn(struct weir_sharing *sharing, uint32_t party,
		     const struct weir_callview *view,
		     const struct weir_sharing_sum *sum)
{
	struct weir_sharing_file *file =
		&sharing->files[sharing->parties[party].at];
	uint64_t begin = view->real, end = begin + view->event.dur;
	struct turn *turn = &file->turn;
	int err = 0;

	if (turn->party != party + 1) {
		err = end_turn(sharing, file);
		*turn = (struct turn){
			.party = party + 1, .begin = begin,
			.before = turn->end - turn->begin,
			.gap = file->ended && begin >= file->ended ?
				       begin - file->ended : NEVER,
		};
	}
	add_sum(&turn->sum, sum);
	if (end > turn->end)
		turn->end = end;
	if (end > file->ended)
		file->ended = end;
	return err;
}

static int take_write(struct weir_sharing *sharing,
		      const struct weir_callview *view)
{
	const struct weir_event *event = &view->event;
	struct weir_sharing_party *party = find_party(sharing, view);
	struct weir_sharing_sum sum = {
		.calls = 1, .bytes = view->moved, .time = event->dur,
		.slowest = weir_witness_of(event),
	};
	uint64_t from = (uint64_t)event->off;
	int err = 0;

	if (!party)
		return -ENOMEM;
	if (!(event->flags & WEIR_EVENT_NOOFF))
		err = view->moved < WEIR_FLOW_SMALL ?
			      touch(sharing, party, WEIR_SHARING_SMALL,
				    from / WEIR_FLOW_SMALL, &sum) :
			      take_large(sharing, party, from, &sum);
	return err ? err : take_turn(sharing,
				     (uint32_t)(party - sharing->parties),
				     view, &sum);
}

/* Who comes when all have gone meets nobody. */
static void take_open(struct weir_sharing *sharing,
		      const struct weir_callview *view)
{
	uint64_t at = find_shared_file(sharing, view->file);
	struct weir_sharing_file *file = at ? &sharing->files[at - 1] : NULL;

	if (!file || view->event.flags & WEIR_EVENT_FAILED)
		return;
	if (view->class == WEIR_CLASS_OPEN)
		file->age += !file->open++;
	else if (file->open)
		file->open--;
}

/* Told by the library that opens; what was written before has its place. */
static int take_unit(struct weir_sharing *sharing,
		     const struct weir_callview *view)
{
	uint32_t at;
	int err = add_file(sharing, view->file, &at);

	if (!err && !sharing->files[at].blocks)
		sharing->files[at].unit = view->unit;
	return err;
}

int weir_sharing_take(struct weir_sharing *sharing,
		      const struct weir_callview *view)
{
	if (view->unit)
		return take_unit(sharing, view);
	if (view->layer > WEIR_CALLVIEW_STDIO)
		return 0;
	if (view->class == WEIR_CLASS_OPEN || view->class == WEIR_CLASS_CLOSE)
		take_open(sharing, view);
	if (view->class != WEIR_CLASS_WRITE && view->class != WEIR_CLASS_DRAIN)
		return 0;
	if (!view->moved || view->marks & WEIR_CALLVIEW_TOGETHER)
		return 0;
	return take_write(sharing, view);
}

int weir_sharing_end(struct weir_sharing *sharing)
{
	int err = 0;

	for (size_t i = 0; !err && i < sharing->file_count; i++) {
		err = end_turn(sharing, &sharing->files[i]);
		sharing->files[i].turn.party = 0;
	}
	return err;
}

struct weir_sharing_sum
weir_sharing_sum_of(const struct weir_sharing *sharing,
		    const struct weir_sharing_party *party,
		    enum weir_sharing_kind kind)
{
	if (!party->shared)
		return (struct weir_sharing_sum){ 0 };
	return sharing->sums[party->shared - 1].of[kind];
}
