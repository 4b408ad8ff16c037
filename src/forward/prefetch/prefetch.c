/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies reads from prefetched blocks, and requests more. */
#include "forward/prefetch/prefetch.h"

#include "base/clock.h"
#include "base/futex.h"
#include "forward/link/link.h"

#include <string.h>

#define STEP UINT64_C(50000000) /* ns asleep, then: does it come still? */

_Static_assert(sizeof(struct weir_pattern) == WEIR_PREFETCH_WORDS * 8, "");

static struct weir_prefetch_file *file_of(uint32_t open)
{
	return &weir_link.prefetch[open];
}

/* Others may do the same: what they know is lost then, and no harm done. */
static void load_pattern(uint32_t open, struct weir_pattern *pattern)
{
	uint64_t words[WEIR_PREFETCH_WORDS];

	for (int i = 0; i < WEIR_PREFETCH_WORDS; i++)
		words[i] = atomic_load_explicit(&file_of(open)->pattern[i],
						memory_order_relaxed);
	memcpy(pattern, words, sizeof(words));
}

static void store_pattern(uint32_t open, const struct weir_pattern *pattern)
{
	uint64_t words[WEIR_PREFETCH_WORDS];

	memcpy(words, pattern, sizeof(words));
	for (int i = 0; i < WEIR_PREFETCH_WORDS; i++)
		atomic_store_explicit(&file_of(open)->pattern[i], words[i],
				      memory_order_relaxed);
}

/* What a block says, read at once. */
struct view {
	uint32_t sequence, state, record, bytes;
	uint64_t offset, begun;
	int64_t stride;
};

static uint32_t load_word(_Atomic uint32_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

static bool view_block(struct weir_prefetch_block *block,
		       const struct weir_prefetch_copy *copy,
		       struct view *ret_view)
{
	struct view view = {
		.sequence = atomic_load_explicit(&block->sequence,
						 memory_order_acquire),
		.state = atomic_load_explicit(&block->state,
					      memory_order_acquire),
		.record = load_word(&block->record),
		.bytes = load_word(&block->bytes),
		.offset = atomic_load_explicit(&block->offset,
					       memory_order_relaxed),
		.begun = atomic_load_explicit(&block->begun,
					      memory_order_relaxed),
		.stride = atomic_load_explicit(&block->stride,
					       memory_order_relaxed),
	};

	*ret_view = view;
	return !(view.sequence & 1) && view.state != WEIR_PREFETCH_EMPTY &&
	       view.record && view.stride &&
	       view.bytes <= WEIR_PREFETCH_BYTES &&
	       load_word(&block->open) == copy->open + 1 &&
	       load_word(&block->round) ==
		       load_word(&file_of(copy->open)->round) &&
	       load_word(&block->writings) == copy->writings;
}

/* What was read before is read before this, as a mere load would not say. */
static bool is_still(struct weir_prefetch_block *block, const struct view *view)
{
	return atomic_fetch_add(&block->sequence, 0) == view->sequence;
}

/* Where in the block a place of the file is, and how much from there on. */
static uint32_t find_in_block(const struct view *view, uint64_t offset,
			      uint32_t *ret_at)
{
	int64_t far = (int64_t)(offset - view->offset);
	uint64_t number, within;

	if (view->stride < 0) { /* the record that it is in begins before */
		int64_t back = (int64_t)view->record - 1 - far;

		if (back < 0)
			return 0;
		number = (uint64_t)back / (uint64_t)-view->stride;
		within = (uint64_t)(far - (int64_t)number * view->stride);
	} else {
		if (far < 0)
			return 0;
		number = (uint64_t)far / (uint64_t)view->stride;
		within = (uint64_t)far % (uint64_t)view->stride;
	}
	if (within >= view->record || number > WEIR_PREFETCH_BYTES)
		return 0;
	number = number * view->record + within;
	if (number >= view->bytes)
		return 0;
	*ret_at = (uint32_t)number;
	within = view->record - within;
	return (uint32_t)(within < view->bytes - number ? within
							: view->bytes - number);
}

/* True: it is here now. It comes soon, or its daemon has died. */
static bool await_block(struct weir_prefetch_block *block, struct view *view,
			const struct weir_prefetch_copy *copy)
{
	for (uint64_t waited = 0; view->state == WEIR_PREFETCH_COMING;
	     waited += STEP) {
		if (waited >= WEIR_PREFETCH_AGE || weir_link_is_dead() ||
		    !is_still(block, view))
			return false;
		weir_futex_wait(&block->state, WEIR_PREFETCH_COMING, STEP);
		if (!view_block(block, copy, view))
			return false;
	}
	return true;
}

static bool is_fresh(const struct view *view)
{
	return weir_clock_ns(CLOCK_MONOTONIC) - view->begun < WEIR_PREFETCH_AGE;
}

static uint32_t copy_from(uint32_t number,
			  const struct weir_prefetch_copy *copy)
{
	struct weir_prefetch_block *block = &weir_link.blocks[number];
	const unsigned char *bytes =
		weir_link.block_bytes + (uint64_t)number * WEIR_PREFETCH_BYTES;
	struct view view;
	uint32_t at = 0, size;

	if (!view_block(block, copy, &view) ||
	    !find_in_block(&view, copy->offset, &at) ||
	    !await_block(block, &view, copy) || !is_fresh(&view))
		return 0;
	size = find_in_block(&view, copy->offset,
			     &at); /* it may have become less */
	size = size < copy->size ? size : copy->size;
	memcpy(copy->to, bytes + at, size);
	return is_still(block, &view) ? size : 0;
}

static uint32_t block_listed(uint32_t open, uint32_t at)
{
	uint64_t word = atomic_load_explicit(&file_of(open)->list[at / 8],
					     memory_order_acquire);

	return (uint32_t)(word >> at % 8 * 8 & 0xff);
}

static bool has_none(uint32_t open)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < WEIR_PREFETCH_LISTED / 8; i++)
		all |= atomic_load_explicit(&file_of(open)->list[i],
					    memory_order_relaxed);
	return !all;
}

/* Most are in the block where the last one was, or in the next. */
uint32_t weir_prefetch_copy(const struct weir_prefetch_copy *copy)
{
	uint32_t size = 0, number, at;
	struct weir_pattern pattern;

	if (has_none(copy->open))
		return 0;
	load_pattern(copy->open, &pattern);
	for (uint32_t i = 0; i < WEIR_PREFETCH_LISTED && !size; i++) {
		at = (pattern.at + i) % WEIR_PREFETCH_LISTED;
		number = block_listed(copy->open, at);
		if (!number || number > WEIR_PREFETCH_BLOCKS)
			continue;
		size = copy_from(number - 1, copy);
		if (size && i) {
			pattern.at = (uint8_t)at;
			store_pattern(copy->open, &pattern);
		}
	}
	return size;
}

/* One at a time; who comes between leaves it for the next read. */
static bool write_request(struct weir_prefetch_file *file, uint64_t place,
			  const struct weir_pattern_request *request)
{
	uint32_t sequence = atomic_load(&file->sequence) & ~1u;

	if (!atomic_compare_exchange_strong(&file->sequence, &sequence,
					    sequence + 1))
		return false;
	atomic_store_explicit(&file->from, request->from, memory_order_relaxed);
	atomic_store_explicit(&file->stride, request->stride,
			      memory_order_relaxed);
	atomic_store_explicit(&file->record, request->record,
			      memory_order_relaxed);
	atomic_store_explicit(&file->count, request->count,
			      memory_order_relaxed);
	atomic_store_explicit(&file->place, place, memory_order_relaxed);
	atomic_store(&file->sequence, sequence + 2);
	return true;
}

static void leave_request(uint32_t open, uint64_t place,
			  const struct weir_pattern_request *request)
{
	if (!write_request(file_of(open), place, request))
		return;
	atomic_fetch_or(&weir_link.requests->opens[open / 64],
			UINT64_C(1) << open % 64);
	atomic_fetch_add(&weir_link.requests->count, 1);
	weir_link_wake();
}

static void count_read(struct weir_prefetch_file *file, uint64_t size,
		       uint64_t hit)
{
	if (hit)
		atomic_fetch_add_explicit(&file->used, hit,
					  memory_order_relaxed);
	atomic_fetch_add_explicit(hit == size ? &file->hits : &file->misses, 1,
				  memory_order_relaxed);
}

void weir_prefetch_note(uint32_t open, uint64_t offset, uint64_t size,
			uint64_t hit)
{
	struct weir_prefetch_file *file = file_of(open);
	struct weir_pattern_read read = {
		.offset = offset, .size = size, .hit = hit};
	struct weir_pattern_request request;
	struct weir_pattern pattern;
	bool wants;

	load_pattern(open, &pattern);
	if (!pattern.rest || hit) {
		read.now = weir_clock_ns(CLOCK_MONOTONIC);
		read.end =
			atomic_load_explicit(&file->end, memory_order_relaxed);
		read.end = read.end ? read.end : UINT64_MAX;
		count_read(file, size, hit);
	}
	wants = weir_pattern_see(&pattern, &read, &request);
	store_pattern(open, &pattern);
	if (wants)
		leave_request(open, offset + size, &request);
}

uint64_t weir_prefetch_start(uint32_t open)
{
	struct weir_pattern pattern;

	load_pattern(open, &pattern);
	return pattern.rest ? 0 : weir_clock_ns(CLOCK_MONOTONIC);
}

void weir_prefetch_stop(uint32_t open, uint64_t start, int64_t got)
{
	struct weir_pattern pattern;

	if (!start || got <= 0)
		return;
	load_pattern(open, &pattern);
	weir_pattern_time(&pattern, (uint64_t)got,
			  weir_clock_ns(CLOCK_MONOTONIC) - start);
	store_pattern(open, &pattern);
}

void weir_prefetch_advise(uint32_t open, enum weir_pattern_advice advice)
{
	struct weir_pattern pattern;

	load_pattern(open, &pattern);
	weir_pattern_advise(&pattern, advice);
	store_pattern(open, &pattern);
}

void weir_prefetch_want(uint32_t open, uint64_t from, uint64_t size)
{
	struct weir_pattern_request request = {.from = from, .count = 1};

	if (!size || size > WEIR_PATTERN_MOST)
		size = WEIR_PATTERN_MOST;
	request.record = (uint32_t)size;
	request.stride = (int64_t)size;
	leave_request(open, from, &request);
}

void weir_prefetch_forget(uint32_t open)
{
	atomic_fetch_add(&file_of(open)->round, 1);
	atomic_store_explicit(&file_of(open)->end, 0, memory_order_relaxed);
}
