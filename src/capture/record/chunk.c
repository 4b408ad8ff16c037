/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts records into the open chunk of a thread, and counts the lost ones. */
#include "capture/record/chunk.h"

#include "capture/memory/pool.h"
#include "capture/memory/tick.h"
#include "capture/record/encode.h"
#include "trace/layout/trace_layout.h"

#include <string.h>

#define LOSS_BYTES 30

void weir_chunk_close(struct weir_thread *t)
{
	if (t->unit == WEIR_LIVE_NO_CHUNK)
		return;
	t->chunk->used = (uint32_t)((uint8_t *)t->cursor - (uint8_t *)t->data);
	t->chunk->records = t->records;
	weir_pool_hand_over(t->unit);
	t->unit = WEIR_LIVE_NO_CHUNK;
}

/*
 * The order matters to whoever reads after a kill: the old chunk is handed
 * over whole; then the word says that nothing is used; only then it belongs
 * to the new chunk.
 */
static bool open_chunk(struct weir_thread *t)
{
	uint32_t unit = weir_pool_take_chunk();

	t->cursor = t->limit = NULL;
	if (unit == WEIR_LIVE_NO_CHUNK)
		return false;
	t->unit = unit;
	t->chunk = weir_pool_chunk(unit);
	t->data = (uint64_t *)((uint8_t *)t->chunk + WEIR_LIVE_CHUNK_BYTES);
	t->cursor = t->data;
	t->limit = t->data + WEIR_LIVE_DATA_BYTES / 8 - WEIR_CHUNK_WORDS;
	t->records = 0;
	t->sequence++;
	memset(t->sites, 0, sizeof(t->sites));
	t->chunk->thread = t->slot->thread;
	t->chunk->sequence = t->sequence;
	t->chunk->slot = t->slot_index;
	t->chunk->used = 0;
	t->chunk->records = 0;
	t->chunk->base.tick = weir_tick_now();
	t->chunk->base.mono = weir_clock_ns(CLOCK_MONOTONIC);
	t->previous_end = t->chunk->base.tick;
	weir_thread_commit(t,
			   weir_thread_word(t, t->data, weir_thread_depth(t)));
	atomic_store_explicit(&t->slot->chunk,
			      (uint64_t)t->sequence << 32 | unit,
			      memory_order_release);
	return true;
}

static bool drops_are_untold(const struct weir_thread *t)
{
	return t->commit >> WEIR_COMMIT_DROPS_SHIFT != t->slot->drops_told;
}

/*
 * Told first, written after: killed in between, the thread's count in the
 * slot still has them; the other order would count them twice.
 */
static void put_loss(struct weir_thread *t)
{
	struct weir_encoded *d = weir_chunk_begin_note(t, LOSS_BYTES);
	uint64_t drops = t->commit >> WEIR_COMMIT_DROPS_SHIFT;
	uint64_t since = drops - t->slot->drops_told;

	if (!d)
		return;
	weir_encode_unsigned(d, since);
	weir_encode_unsigned(d, t->slot->first_drop);
	weir_encode_unsigned(d, t->slot->last_drop);
	t->slot->drops_told = drops;
	weir_chunk_put_note(t, WEIR_NOTE_LOSS, t->slot->first_drop);
}

uint64_t *weir_chunk_room(struct weir_thread *t, uint32_t words)
{
	if (t->cursor &&
	    t->cursor + words <= t->data + WEIR_LIVE_DATA_BYTES / 8)
		return t->cursor;
	weir_chunk_close(t);
	if (!open_chunk(t))
		return NULL;
	if (drops_are_untold(t))
		put_loss(t);
	return t->cursor;
}

void weir_chunk_drop(struct weir_thread *t, uint32_t depth, uint64_t tick)
{
	struct weir_slot *slot = t->slot;

	if (!drops_are_untold(t))
		slot->first_drop = tick;
	slot->last_drop = tick;
	/* Nothing is used in a chunk we do not have. */
	weir_thread_commit(t,
			   ((t->commit >> WEIR_COMMIT_DROPS_SHIFT) + 1)
					   << WEIR_COMMIT_DROPS_SHIFT |
				   (uint64_t)depth << WEIR_COMMIT_DEPTH_SHIFT |
				   (t->unit == WEIR_LIVE_NO_CHUNK
					    ? 0
					    : t->commit & 0xffff));
}

struct weir_encoded *weir_chunk_begin_note(struct weir_thread *t, size_t bytes)
{
	if (!weir_chunk_room(t,
			     (uint32_t)(WEIR_CHUNK_NOTE_WORDS + bytes / 8 + 1)))
		return NULL;
	t->note.used = 0;
	t->note.cut = false;
	return &t->note;
}

void weir_chunk_put_note(struct weir_thread *t, uint64_t def, uint64_t start)
{
	uint32_t padded = (t->note.used + 7) & ~UINT32_C(7);
	uint32_t site = WEIR_RECORD_SITES - 1;
	uint64_t *at = t->cursor;

	if (!start)
		start = t->previous_end;
	*at++ = WEIR_RECORD_DEF | WEIR_RECORD_NOOFF | WEIR_RECORD_WIDE |
		WEIR_RECORD_DETAIL | (uint64_t)site << WEIR_RECORD_SITE_SHIFT;
	*at++ = def;
	*at++ = 0;
	*at++ = start - t->previous_end;
	*at++ = 0;
	*at++ = t->note.used;
	if (padded)
		at[padded / 8 - 1] = 0;
	memcpy(at, t->note.bytes, t->note.used);
	at += padded / 8;
	t->sites[site] = (struct weir_thread_site){ .def = def };
	t->previous_end = start;
	t->cursor = at;
	t->records++;
	weir_thread_commit(t, weir_thread_word(t, at, weir_thread_depth(t)));
}

void weir_chunk_entered(struct weir_thread *t, uint32_t depth)
{
	const struct weir_slot_frame *frame = &t->slot->frames[depth];
	uint64_t start = atomic_load(&frame->start);
	uint64_t def = frame->call | (uint64_t)depth << 16 |
		       (uint64_t)WEIR_EVENT_ENTERED << 24 |
		       (uint64_t)frame->handle << 32;

	if (!start)
		return; /* of a file that is not recorded */
	if (weir_chunk_begin_note(t, 0))
		weir_chunk_put_note(t, def, start);
	else
		weir_chunk_drop(t, depth, start);
}
