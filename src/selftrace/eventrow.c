/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes records of one thread. As in the recorder, one store of the slot's
 * word makes a record visible, closes its frame and counts what was dropped.
 */
#include "selftrace/eventrow.h"

#include "base/clock.h"
#include "base/varint.h"
#include "selftrace/ownlive.h"

#include <string.h>
#include <unistd.h>

#define WORDS	   (WEIR_LIVE_DATA_BYTES / 8)
#define WORDS_MOST 8 /* of a record, without its detail */
#define LOSS_WORDS (1 + (3 * WEIR_VARINT_MAX + 7) / 8)

bool weir_eventrow_begin(struct weir_eventrow *row)
{
	uint32_t unit = weir_ownlive_take_slot();
	struct weir_slot *slot;

	if (unit == WEIR_LIVE_NO_CHUNK)
		return false;
	slot = weir_ownlive_slot(unit);
	slot->tid = (uint32_t)gettid();
	slot->level = 0;
	slot->thread = atomic_fetch_add(&weir_ownlive_live()->threads, 1) + 1;
	slot->drops_told = slot->first_drop = slot->last_drop = 0;
	atomic_store(&slot->sums, 0);
	atomic_store(&slot->commit, 0);
	atomic_store(&slot->chunk, WEIR_LIVE_NO_CHUNK);
	memset(row, 0, sizeof(*row));
	row->slot = slot;
	row->slot_index = unit;
	atomic_store_explicit(&slot->state, WEIR_SLOT_LIVE,
			      memory_order_release);
	return true;
}

static void set_commit(struct weir_eventrow *row, uint64_t word)
{
	row->commit = word;
	atomic_store_explicit(&row->slot->commit, word, memory_order_release);
}

static uint64_t word_of(const struct weir_eventrow *row, const uint64_t *end,
			uint32_t depth)
{
	uint64_t used = row->chunk ? (uint64_t)(end - row->data) * 8 : 0;

	return row->commit >> WEIR_COMMIT_DROPS_SHIFT
				      << WEIR_COMMIT_DROPS_SHIFT |
	       (uint64_t)depth << WEIR_COMMIT_DEPTH_SHIFT | used;
}

static void close_chunk(struct weir_eventrow *row)
{
	if (!row->chunk)
		return;
	row->chunk->used = (uint32_t)(row->cursor - row->data) * 8;
	row->chunk->records = row->records;
	weir_ownlive_hand_over(row->unit);
	row->chunk = NULL;
}

/* In this order, for who reads after a kill: see capture/record/chunk.c. */
static bool open_chunk(struct weir_eventrow *row)
{
	uint32_t unit = weir_ownlive_take_chunk();

	if (unit == WEIR_LIVE_NO_CHUNK)
		return false;
	row->unit = unit;
	row->chunk = weir_ownlive_chunk(unit);
	row->data = (uint64_t *)((uint8_t *)row->chunk + WEIR_LIVE_CHUNK_BYTES);
	row->cursor = row->data;
	row->records = 0;
	memset(row->sites, 0, sizeof(row->sites));
	*row->chunk = (struct weir_chunk_head){
		.thread = row->slot->thread,
		.sequence = ++row->sequence,
		.slot = row->slot_index,
		.base.tick = weir_clock_tick(weir_ownlive_counts()),
		.base.mono = weir_clock_ns(CLOCK_MONOTONIC),
	};
	row->previous_end = row->chunk->base.tick;
	set_commit(row, word_of(row, row->cursor, weir_eventrow_depth(row)));
	atomic_store_explicit(&row->slot->chunk,
			      (uint64_t)row->sequence << 32 | unit,
			      memory_order_release);
	return true;
}

static void drop(struct weir_eventrow *row, uint32_t depth, uint64_t tick)
{
	struct weir_slot *slot = row->slot;

	if (row->commit >> WEIR_COMMIT_DROPS_SHIFT == slot->drops_told)
		slot->first_drop = tick;
	slot->last_drop = tick;
	set_commit(row,
		   word_of(row, row->cursor, depth) + WEIR_COMMIT_DROPS_ONE);
}

static uint64_t *put_site(struct weir_eventrow *row,
			  const struct weir_eventrow_line *line, uint64_t *at,
			  uint64_t *form)
{
	uint64_t index = (line->call + line->handle * 7) % WEIR_RECORD_SITES;
	struct weir_eventrow_site *site = &row->sites[index];
	uint64_t def = line->call | (uint64_t)line->depth << 16 |
		       (uint64_t)line->handle << 32;

	*form = index << WEIR_RECORD_SITE_SHIFT;
	if (site->def != def) {
		*form |= WEIR_RECORD_DEF;
		*at++ = site->def = def;
		*at++ = site->size = line->size;
		site->next = 0;
	} else if (site->size != line->size) {
		*form |= WEIR_RECORD_SIZE;
		*at++ = site->size = line->size;
	}
	if (!line->has_off) {
		*form |= WEIR_RECORD_NOOFF;
		return at;
	}
	if (site->next != line->off) {
		*form |= WEIR_RECORD_OFF;
		*at++ = line->off;
	}
	site->next = line->off + line->size;
	return at;
}

static uint64_t *put_result(const struct weir_eventrow_line *line, uint64_t *at,
			    uint64_t *form)
{
	if (line->ret < 0)
		*form |= WEIR_RECORD_FAILED;
	if (line->ret) {
		*form |= WEIR_RECORD_RET;
		*at++ = (uint64_t)(line->ret < 0 ? -line->ret : line->ret);
	}
	return at;
}

static uint64_t *put_times(struct weir_eventrow *row,
			   const struct weir_eventrow_line *line, uint64_t *at,
			   uint64_t *form)
{
	uint64_t gap = line->start - row->previous_end;
	uint64_t dur = line->end - line->start;

	row->previous_end = line->end;
	if ((gap | dur) >> WEIR_RECORD_TIME_BITS) {
		*form |= WEIR_RECORD_WIDE;
		*at++ = gap;
		*at++ = dur;
	} else {
		*form |= dur << WEIR_RECORD_DUR_SHIFT |
			 gap << WEIR_RECORD_GAP_SHIFT;
	}
	return at;
}

static uint64_t *put_detail(const struct weir_eventrow_line *line, uint64_t *at,
			    uint64_t *form)
{
	uint32_t words = (line->detail_bytes + 7) / 8;

	if (!line->detail_bytes)
		return at;
	*form |= WEIR_RECORD_DETAIL;
	at[words] = 0;
	*at++ = line->detail_bytes;
	memcpy(at, line->detail, line->detail_bytes);
	return at + words;
}

/* There is room for it. */
static void write_line(struct weir_eventrow *row,
		       const struct weir_eventrow_line *line)
{
	uint64_t form;
	uint64_t *at = put_site(row, line, row->cursor + 1, &form);

	at = put_result(line, at, &form);
	at = put_times(row, line, at, &form);
	at = put_detail(line, at, &form);
	*row->cursor = form;
	row->cursor = at;
	row->records++;
	row->written++;
	set_commit(row, word_of(row, at, line->depth));
}

/* Told first, written after: killed in between, the slot still has them. */
static void tell_loss(struct weir_eventrow *row)
{
	struct weir_slot *slot = row->slot;
	uint64_t drops = row->commit >> WEIR_COMMIT_DROPS_SHIFT;
	uint8_t detail[3 * WEIR_VARINT_MAX];
	struct weir_eventrow_line line = {
		.call = WEIR_NOTE_LOSS,
		.depth = weir_eventrow_depth(row),
		.start = slot->first_drop,
		.end = slot->first_drop,
		.detail = detail,
	};

	if (drops == slot->drops_told)
		return;
	line.detail_bytes += (uint32_t)weir_varint_put(
		detail, drops - slot->drops_told);
	line.detail_bytes += (uint32_t)weir_varint_put(
		detail + line.detail_bytes, slot->first_drop);
	line.detail_bytes += (uint32_t)weir_varint_put(
		detail + line.detail_bytes, slot->last_drop);
	slot->drops_told = drops;
	write_line(row, &line);
}

static bool ensure_chunk(struct weir_eventrow *row, uint32_t words)
{
	if (row->chunk && row->cursor + words <= row->data + WORDS)
		return true;
	close_chunk(row);
	if (!open_chunk(row))
		return false;
	tell_loss(row);
	return true;
}

void weir_eventrow_put(struct weir_eventrow *row,
		       const struct weir_eventrow_line *line)
{
	uint32_t words = WORDS_MOST + 1 + (line->detail_bytes + 7) / 8;

	if (words + WORDS_MOST + LOSS_WORDS <= WORDS &&
	    ensure_chunk(row, words))
		write_line(row, line);
	else
		drop(row, line->depth, line->end);
}

void weir_eventrow_enter(struct weir_eventrow *row, uint32_t call,
			 uint32_t handle, uint64_t start)
{
	uint32_t depth = weir_eventrow_depth(row);

	if (depth < WEIR_SLOT_FRAMES) {
		struct weir_slot_frame *frame = &row->slot->frames[depth];

		frame->call = call;
		frame->handle = handle;
		frame->address = 0;
		atomic_store(&frame->start, start);
	}
	set_commit(row, row->commit + WEIR_COMMIT_DEPTH_ONE);
}

void weir_eventrow_forget(struct weir_eventrow *row)
{
	set_commit(row, row->commit - WEIR_COMMIT_DEPTH_ONE);
}

void weir_eventrow_end(struct weir_eventrow *row)
{
	close_chunk(row);
	atomic_store_explicit(&row->slot->state, WEIR_SLOT_ENDED,
			      memory_order_release);
}
