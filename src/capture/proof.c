/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process wrote, as sums by handle and by file. */
#include "capture/proof.h"

#include "base/hash.h"
#include "capture/control.h"
#include "capture/jot.h"
#include "capture/observe.h"
#include "capture/proofbook.h"
#include "spec/calls.h"

#define NO_FILE WEIR_PROOFBOOK_NO_FILE

/* Handles that are not recorded, and descriptors nobody knows. */
#define HIDDEN (UINT32_C(7) << 29)

bool weir_proof_is_on(void)
{
	return weir_control->manner & WEIR_MANNER_PROVE;
}

uint64_t weir_proof_key(uint64_t device, uint64_t inode)
{
	const uint64_t both[] = { device, inode };

	return weir_hash_bytes(both, sizeof(both)) | 1;
}

static struct weir_proofbook *lock_for(uint32_t handle)
{
	return !handle || handle & HIDDEN ? NULL : weir_proofbook_lock();
}

/* --- what is covered ---------------------------------------------------- */

static __thread bool lets_through __attribute__((tls_model("initial-exec")));

void weir_proof_let_through(bool let)
{
	lets_through = let;
}

/* Whether a call of these numbers is open. */
static bool is_below(uint16_t first, uint16_t last)
{
	const struct weir_thread *t = weir_thread_self;
	uint32_t depth = t->state == WEIR_THREAD_ASLEEP ? 0
							: weir_thread_depth(t);

	if (depth > WEIR_SLOT_FRAMES)
		depth = WEIR_SLOT_FRAMES;
	while (depth--)
		if (t->slot->frames[depth].call >= first &&
		    t->slot->frames[depth].call <= last)
			return true;
	return false;
}

/* The numbers of each table's calls: spec/README.md. */
bool weir_proof_is_covered(void)
{
	return is_below(2300, 2699);
}

bool weir_proof_is_below_layers(void)
{
	return weir_proof_is_covered() ||
	       (!lets_through && is_below(2000, 2299));
}

bool weir_proof_is_let_through(void)
{
	return lets_through;
}

/* --- events ------------------------------------------------------------- */

static void put_detail(struct weir_jot *d,
		       const struct weir_proofbook_report *report)
{
	const struct weir_proofbook_entry *e = &report->entry;
	const uint64_t numbers[] = {
		e->sum.low, e->sum.high, e->cover.low, e->cover.high,
		e->bytes,   e->writes,	 e->end,       e->doubts,
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		weir_jot_unsigned(d, numbers[i]);
	weir_jot_text(d, report->extents);
}

/* While the call is open that is being looked at, if there is one. */
static uint64_t time_for(const struct weir_thread *t, uint32_t depth)
{
	uint64_t start = 0;

	if (t->state != WEIR_THREAD_BUSY)
		return weir_clock_tick(weir_observe_counter);
	if (depth && depth <= WEIR_SLOT_FRAMES)
		start = atomic_load(&t->slot->frames[depth - 1].start);
	return start > t->previous_end ? start : t->previous_end;
}

static void put_event(struct weir_thread *t,
		      const struct weir_proofbook_report *report)
{
	uint32_t state = t->state;
	struct weir_args args = { .call = WEIR_CALL_PROOF, .fd = -1 };
	struct weir_pass child = {
		.thread = t,
		.handle = report->entry.handle,
		.depth = weir_thread_depth(t),
		.start = time_for(t, weir_thread_depth(t)),
		.flags = t->vforks ? WEIR_EVENT_VFORK : 0,
	};

	child.end = child.start;
	t->state = WEIR_THREAD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	put_detail(weir_observe_child_detail(&child), report);
	weir_observe_derive(&child, &args);
	atomic_signal_fence(memory_order_seq_cst);
	t->state = state;
}

/* Without the lock: memory for the record may have to be waited for. */
static void say(const struct weir_proofbook_report *report)
{
	struct weir_thread *t = weir_thread_self;

	if (!report->entry.handle)
		return;
	/* A signal's call has found us BUSY; or might, and then it is free. */
	while (t->state == WEIR_THREAD_BUSY && t->nested)
		t = t->nested;
	if (t->state == WEIR_THREAD_ASLEEP)
		t = weir_thread_stir((uintptr_t)__builtin_frame_address(0));
	if (t)
		put_event(t, report);
}

/* --- the doors ---------------------------------------------------------- */

/* All that was written through the file's other handles is gone too. */
static void empty(struct weir_proofbook *book, uint32_t file)
{
	weir_written_clear(&book->files[file].written);
	for (uint32_t i = 0; i < WEIR_PROOFBOOK_PLACES; i++) {
		struct weir_proofbook_entry *e = &book->entries[i];

		if (!e->handle || e->file != file)
			continue;
		e->sum = e->cover = (struct weir_digest){ 0 };
		e->bytes = e->end = 0;
	}
}

void weir_proof_know(uint32_t handle, uint64_t key, bool is_empty)
{
	struct weir_proofbook *book = lock_for(handle);
	struct weir_proofbook_report evicted;
	struct weir_proofbook_entry *e;

	if (!book)
		return;
	e = weir_proofbook_enter(book, handle, &evicted);
	e->file = weir_proofbook_file(book, key);
	if (is_empty)
		empty(book, e->file);
	else
		e->doubts |= WEIR_PROOF_EXISTED |
			     (book->forgot ? WEIR_PROOF_CROWDED : 0);
	weir_proofbook_written(book, e);
	weir_proofbook_unlock(book);
	say(&evicted);
}

bool weir_proof_knows(uint32_t handle)
{
	struct weir_proofbook *book = lock_for(handle);
	const struct weir_proofbook_entry *e;
	bool known;

	if (!book)
		return true; /* there is nothing to find out */
	e = weir_proofbook_find(book, handle);
	known = e && e->file != NO_FILE;
	weir_proofbook_unlock(book);
	return known;
}

uint32_t weir_proof_holder(uint64_t key)
{
	struct weir_proofbook *book = weir_proofbook_look();
	uint32_t holder = 0;

	if (!book || !weir_proofbook_lock())
		return 0;
	for (uint32_t i = 0; i < WEIR_PROOFBOOK_PLACES && !holder; i++) {
		const struct weir_proofbook_entry *e = &book->entries[i];

		if (e->handle && e->file != NO_FILE &&
		    book->files[e->file].key == key)
			holder = e->handle;
	}
	weir_proofbook_unlock(book);
	return holder;
}

struct change {
	struct weir_digest sum, cover;
	uint64_t bytes, from, to;
	bool is_added;
	bool has_extent;
};

static void add_sums(struct weir_proofbook_entry *e, const struct change *c)
{
	if (c->is_added) {
		weir_digest_sum(&e->sum, &c->sum);
		weir_digest_sum(&e->cover, &c->cover);
		e->bytes += c->bytes;
		e->writes++;
	} else {
		weir_digest_sub(&e->sum, &c->sum);
		weir_digest_sub(&e->cover, &c->cover);
		e->bytes -= c->bytes;
	}
	if (c->to > e->end)
		e->end = c->to;
}

/* The first of several: say that there will be more. */
static void say_begun(uint32_t handle, uint32_t doubts)
{
	struct weir_proofbook_report begun = { 0 };

	begun.entry.handle = handle;
	begun.entry.doubts = WEIR_PROOF_UNTOLD |
			     (doubts & WEIR_PROOF_EXISTED);
	say(&begun);
}

static void apply(uint32_t handle, const struct change *c)
{
	struct weir_proofbook *book = lock_for(handle);
	struct weir_proofbook_report evicted;
	struct weir_proofbook_entry *e;
	uint32_t doubts;
	bool begins;

	if (!book)
		return;
	e = weir_proofbook_enter(book, handle, &evicted);
	begins = !e->is_dirty;
	doubts = e->doubts;
	e->is_dirty = true;
	add_sums(e, c);
	if (c->has_extent)
		weir_written_add(weir_proofbook_written(book, e), c->from,
				 c->to);
	weir_proofbook_unlock(book);
	say(&evicted);
	if (begins)
		say_begun(handle, doubts);
}

void weir_proof_add(uint32_t handle, uint64_t position, const void *bytes,
		    size_t size)
{
	struct change c = { .bytes = size, .from = position,
			    .to = position + size, .is_added = true,
			    .has_extent = true };

	if (!size)
		return;
	weir_digest_add(&c.sum, position, bytes, size);
	weir_digest_cover(&c.cover, position, size);
	apply(handle, &c);
}

void weir_proof_take(uint32_t handle, uint64_t position, const void *bytes,
		     size_t size)
{
	struct change c = { .bytes = size };

	weir_digest_add(&c.sum, position, bytes, size);
	weir_digest_cover(&c.cover, position, size);
	apply(handle, &c);
}

void weir_proof_mix(uint32_t handle, const struct weir_digest *sum, int sign,
		    uint64_t bytes, uint64_t end)
{
	struct change c = { .sum = *sum, .bytes = bytes, .to = end,
			    .is_added = sign > 0 };

	apply(handle, &c);
}

void weir_proof_doubt(uint32_t handle, uint32_t doubts)
{
	struct weir_proofbook *book = lock_for(handle);
	struct weir_proofbook_report evicted;

	if (!book)
		return;
	weir_proofbook_enter(book, handle, &evicted)->doubts |= doubts;
	weir_proofbook_unlock(book);
	say(&evicted);
}

void weir_proof_trust(uint32_t handle, uint32_t doubts)
{
	struct weir_proofbook *book = lock_for(handle);
	struct weir_proofbook_entry *e;

	if (!book)
		return;
	e = weir_proofbook_find(book, handle);
	if (e)
		e->doubts &= ~doubts;
	weir_proofbook_unlock(book);
}

bool weir_proof_find(uint32_t handle, uint64_t position, uint64_t size,
		     uint64_t *ret_position, uint64_t *ret_size)
{
	struct weir_proofbook *book = lock_for(handle);
	struct weir_proofbook_entry *e;
	struct weir_extent part;
	bool found;

	if (!book)
		return false;
	e = weir_proofbook_find(book, handle);
	found = e && e->file != NO_FILE &&
		weir_written_find(weir_proofbook_written(book, e), position,
				  position + size, &part);
	weir_proofbook_unlock(book);
	if (found) {
		*ret_position = part.from;
		*ret_size = part.to - part.from;
	}
	return found;
}

void weir_proof_cut(uint32_t handle, uint64_t length)
{
	struct weir_proofbook *book = lock_for(handle);
	struct weir_proofbook_entry *e;

	if (!book)
		return;
	e = weir_proofbook_find(book, handle);
	if (e && e->file != NO_FILE)
		weir_written_cut(weir_proofbook_written(book, e), length);
	if (e && !length)
		e->doubts &= ~(uint32_t)WEIR_PROOF_EXISTED;
	if (e && e->end > length)
		e->end = length;
	weir_proofbook_unlock(book);
}

void weir_proof_tell(uint32_t handle)
{
	struct weir_proofbook *book = lock_for(handle);
	struct weir_proofbook_report report = { 0 };
	struct weir_proofbook_entry *e;

	if (!book)
		return;
	e = weir_proofbook_find(book, handle);
	if (e) {
		weir_proofbook_report(book, e, &report);
		e->handle = 0;
	}
	weir_proofbook_unlock(book);
	say(&report);
}

void weir_proof_end(void)
{
	struct weir_proofbook *book = weir_proofbook_look();

	for (uint32_t i = 0; book && i < WEIR_PROOFBOOK_PLACES; i++)
		if (book->entries[i].handle)
			weir_proof_tell(book->entries[i].handle);
}
