/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums up the calls of a thread on each file. */
#include "capture/record/callsums.h"

#include "capture/memory/control.h"
#include "capture/memory/pool.h"
#include "capture/memory/tick.h"
#include "capture/record/chunk.h"
#include "capture/record/pass.h"
#include "spec/calls.h"

#include <string.h>

#define LONG_TICKS 2048 /* of calls that are all timed: about 1 us */
#define LONG_NS	   1000
#define LEAST_SKIP 16
#define MORE_SKIP  31 /* at most; a mask */
#define PATIENCE   8  /* misses until a place is given to another */
#define MOST_CALLS (UINT32_C(1) << 31)

/* Never written to: no call has the key 0, and nobody claims these. */
static struct weir_sum nobody[WEIR_SUM_PLACES];

void weir_callsums_start(struct weir_thread *t)
{
	struct weir_chunk_head *head;
	uint32_t unit = WEIR_LIVE_NO_CHUNK;

	t->sums = nobody;
	if (weir_control_aside() & WEIR_MANNER_PROFILE)
		unit = weir_pool_take_chunk();
	if (unit == WEIR_LIVE_NO_CHUNK)
		return;
	head = weir_pool_chunk(unit);
	memset(head, 0, WEIR_LIVE_CHUNK_BYTES + WEIR_LIVE_DATA_BYTES);
	head->thread = t->slot->thread;
	t->sums = (struct weir_sum *)((uint8_t *)head + WEIR_LIVE_CHUNK_BYTES);
	atomic_store_explicit(&t->slot->sums, unit + 1, memory_order_release);
}

/* The place is free only when the note is committed: see sum_layout.h. */
static bool put_sum(struct weir_thread *t, struct weir_sum *sum)
{
	struct weir_encoded *d = weir_chunk_begin_note(t, sizeof(*sum));
	uint64_t used;

	if (!d)
		return false;
	used = (uint64_t)((uint8_t *)t->cursor - (uint8_t *)t->data) +
	       WEIR_CHUNK_NOTE_WORDS * 8 + sizeof(*sum);
	sum->told = (uint64_t)t->sequence << 16 | used;
	weir_sum_write(sum, d->bytes);
	d->used = sizeof(*sum);
	weir_chunk_put_note(t, WEIR_NOTE_SUM | sum->key >> 32 << 32, 0);
	return true;
}

static bool give_up(struct weir_thread *t, struct weir_sum *sum)
{
	if (sum->key && !put_sum(t, sum))
		return false;
	memset(sum, 0, sizeof(*sum));
	sum->next = INT64_MAX; /* nothing follows, or is beyond */
	return true;
}

/*
 * The place is another's. While calls on many files pass, most of them are
 * recorded: that is cheaper than to tell a sum for each of them.
 */
static bool claim_place(struct weir_thread *t, struct weir_sum *sum,
			uint64_t key, bool timed)
{
	if (t->sums == nobody)
		return false;
	if (sum->key && timed && ++sum->misses < PATIENCE)
		return false;
	if (!give_up(t, sum))
		return false;
	sum->key = key;
	return true;
}

/* What follows the call before, and what goes on beyond it. */
static inline void add_offset(struct weir_sum *sum, uint64_t off,
			      uint64_t moved)
{
	uint64_t end = off + moved;

	sum->placed++;
	if (weir_gate_likely(off == sum->next))
		sum->follow++;
	else if ((int64_t)off > (int64_t)sum->next)
		sum->ahead++;
	sum->next = end;
	if (end > sum->top)
		sum->top = end;
}

static inline void add_call(struct weir_sum *sum, uint64_t size, int64_t off,
			    int64_t ret)
{
	sum->calls++;
	/* After a system call every jump is dear: the usual way has none. */
	if (weir_gate_likely(size))
		sum->sizes[weir_sum_size_class(size)]++;
	else
		sum->sizes[0]++;
	if (weir_gate_unlikely(ret < 0)) {
		sum->failed++;
		return;
	}
	sum->bytes += (uint64_t)ret;
	if (weir_gate_likely(off != WEIR_CALLSUMS_NOWHERE))
		add_offset(sum, (uint64_t)off, (uint64_t)ret);
}

bool weir_callsums_count(struct weir_thread *t, uint64_t key, uint64_t size,
			 int64_t off, int64_t ret)
{
	struct weir_sum *sum = weir_callsums_place(t, key);

	if (weir_gate_unlikely(sum->key != key))
		return false;
	add_call(sum, size, off, ret);
	weir_thread_commit(t, t->commit - WEIR_COMMIT_DEPTH_ONE);
	weir_thread_done(t);
	return true;
}

/*
 * Some of the short calls stand for all: each timed one for those since the
 * one before. Which is left to chance, so that no rhythm of the program hides.
 */
static void time_call(struct weir_sum *sum, uint64_t start, uint64_t end)
{
	uint64_t ticks = end - start;
	uint32_t capped = ticks > UINT32_MAX ? UINT32_MAX : (uint32_t)ticks;
	uint32_t is_long = weir_tick_is_counter ? LONG_TICKS : LONG_NS;

	sum->time += ticks * (sum->calls - sum->seen);
	sum->seen = sum->calls;
	sum->timed++;
	if (ticks > sum->longest)
		sum->longest = ticks;
	if (!sum->first)
		sum->first = start;
	sum->last = end;
	sum->waits[weir_sum_wait_class(ticks)]++;
	sum->pace = sum->pace - sum->pace / 4 + capped / 4;
	sum->skip = sum->pace < is_long
			    ? LEAST_SKIP + (uint32_t)(end & MORE_SKIP)
			    : 0;
}

/*
 * A handle is closed once: no place is worth giving away for that. Operations
 * have to be joined with their ends: which way they go a sum does not tell.
 */
static bool is_told_singly(uint16_t call)
{
	return call == WEIR_CALL_CLOSE || call == WEIR_CALL_FCLOSE ||
	       call == WEIR_CALL_CLOSEDIR || weir_calls_pend(call);
}

bool weir_callsums_add(const struct weir_brief *brief, bool named)
{
	uint64_t key = weir_callsums_key(brief->call, brief->handle,
					 brief->depth);
	struct weir_thread *t = brief->thread;
	struct weir_sum *sum = weir_callsums_place(t, key);

	if (named || brief->flags & WEIR_EVENT_NEWHANDLE)
		return true;
	if (weir_gate_unlikely(sum->key != key) &&
	    (is_told_singly(brief->call) ||
	     !claim_place(t, sum, key, brief->start)))
		return true;
	add_call(sum, brief->size,
		 brief->has_off ? brief->off : WEIR_CALLSUMS_NOWHERE,
		 brief->failed ? -1 :
				 weir_callsums_moved(brief->call, brief->size,
						     brief->ret));
	if (brief->start) {
		time_call(sum, brief->start, brief->end);
		/* Nothing may run over; who finds no room tries again. */
		if (weir_gate_unlikely(sum->calls >= MOST_CALLS))
			give_up(t, sum);
	}
	return false;
}
