/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums up what this process wrote, by handle and by file. */
#include "capture/digests/digests.h"

#include "base/hash.h"
#include "capture/call/threadlife.h"
#include "capture/digests/digestbook.h"
#include "capture/memory/control.h"
#include "capture/memory/tick.h"
#include "capture/record/encode.h"
#include "capture/record/record.h"
#include "spec/calls.h"

#define NO_FILE WEIR_DIGESTBOOK_NO_FILE

/*
 * Sums of very small pieces take longer than to write them; so many, and no
 * more.
 */
#define MOST_PIECES (1 << 20)
#define SMALL_PIECE 256 /* bytes, on average */

/* Handles that are not recorded, and descriptors nobody knows. */
#define HIDDEN (UINT32_C(7) << 29)

bool weir_digests_is_on(void)
{
	return weir_control->manner & WEIR_MANNER_DIGEST;
}

static struct weir_digestbook *lock_for(uint32_t handle)
{
	return !handle || handle & HIDDEN ? NULL : weir_digestbook_lock();
}

/* --- what is covered ---------------------------------------------------- */

static __thread bool lets_through __attribute__((tls_model("initial-exec")));

void weir_digests_let_through(bool let)
{
	lets_through = let;
}

/* Whether a call of these numbers is open. */
static bool is_below(uint16_t first, uint16_t last)
{
	const struct weir_thread *t = weir_thread_self;
	uint32_t depth =
		t->state == WEIR_THREAD_ASLEEP ? 0 : weir_thread_depth(t);

	if (depth > WEIR_SLOT_FRAMES)
		depth = WEIR_SLOT_FRAMES;
	while (depth--)
		if (t->slot->frames[depth].call >= first &&
		    t->slot->frames[depth].call <= last)
			return true;
	return false;
}

/* The numbers of each table's calls: spec/README.md. */
bool weir_digests_is_covered(void)
{
	return is_below(2300, 2699);
}

bool weir_digests_is_below_layers(void)
{
	return weir_digests_is_covered() ||
	       (!lets_through && is_below(2000, 2299));
}

bool weir_digests_is_let_through(void)
{
	return lets_through;
}

/* --- events ------------------------------------------------------------- */

static void put_detail(struct weir_encoded *d,
		       const struct weir_digestbook_report *report)
{
	const struct weir_digestbook_entry *e = &report->entry;
	const uint64_t numbers[] = {
		e->sum.low, e->sum.high, e->cover.low, e->cover.high,
		e->bytes,   e->writes,	 e->end,       e->doubts,
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		weir_encode_unsigned(d, numbers[i]);
	weir_encode_text(d, report->extents);
	weir_encode_unsigned(d, report->key);
}

/* While the call is open that is being looked at, if there is one. */
static uint64_t time_for(const struct weir_thread *t, uint32_t depth)
{
	uint64_t start = 0;

	if (t->state != WEIR_THREAD_BUSY)
		return weir_tick_now();
	if (depth && depth <= WEIR_SLOT_FRAMES)
		start = atomic_load(&t->slot->frames[depth - 1].start);
	return start > t->previous_end ? start : t->previous_end;
}

static void record_report(struct weir_thread *t,
			  const struct weir_digestbook_report *report)
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
	put_detail(weir_record_child_detail(&child), report);
	weir_record_derive(&child, &args);
	atomic_signal_fence(memory_order_seq_cst);
	t->state = state;
}

/* Without the lock: memory for the record may have to be waited for. */
static void record_unlocked(const struct weir_digestbook_report *report)
{
	struct weir_thread *t = weir_thread_self;

	if (!report->entry.handle)
		return;
	/* A signal's call has found us BUSY; or might, and then it is free. */
	while (t->state == WEIR_THREAD_BUSY && t->nested)
		t = t->nested;
	if (t->state == WEIR_THREAD_ASLEEP)
		t = weir_threadlife_begin(
			(uintptr_t)__builtin_frame_address(0));
	if (t)
		record_report(t, report);
}

/* --- the doors ---------------------------------------------------------- */

/* All that was written through the file's other handles is gone too. */
static void empty(struct weir_digestbook *book, uint32_t file)
{
	weir_written_clear(&book->files[file].written);
	for (uint32_t i = 0; i < WEIR_DIGESTBOOK_PLACES; i++) {
		struct weir_digestbook_entry *e = &book->entries[i];

		if (!e->handle || e->file != file)
			continue;
		e->sum = e->cover = (struct weir_digest){ 0 };
		e->bytes = e->end = 0;
	}
}

void weir_digests_know(uint32_t handle, uint64_t key, bool is_empty)
{
	struct weir_digestbook *book = lock_for(handle);
	struct weir_digestbook_report evicted;
	struct weir_digestbook_entry *e;

	if (!book)
		return;
	e = weir_digestbook_enter(book, handle, &evicted);
	e->file = weir_digestbook_file(book, key);
	if (is_empty)
		empty(book, e->file);
	else
		e->doubts |= WEIR_DIGEST_EXISTED |
			     (book->forgot ? WEIR_DIGEST_CROWDED : 0);
	weir_digestbook_written(book, e);
	weir_digestbook_unlock(book);
	record_unlocked(&evicted);
}

bool weir_digests_knows(uint32_t handle)
{
	struct weir_digestbook *book = lock_for(handle);
	const struct weir_digestbook_entry *e;
	bool known;

	if (!book)
		return true; /* there is nothing to find out */
	e = weir_digestbook_find(book, handle);
	known = e && e->file != NO_FILE;
	weir_digestbook_unlock(book);
	return known;
}

uint32_t weir_digests_holder(uint64_t key)
{
	struct weir_digestbook *book = weir_digestbook_look();
	uint32_t holder = 0;

	if (!book || !weir_digestbook_lock())
		return 0;
	for (uint32_t i = 0; i < WEIR_DIGESTBOOK_PLACES && !holder; i++) {
		const struct weir_digestbook_entry *e = &book->entries[i];

		if (e->handle && e->file != NO_FILE &&
		    book->files[e->file].key == key)
			holder = e->handle;
	}
	weir_digestbook_unlock(book);
	return holder;
}

/* The first of several: say that there will be more. */
static void say_begun(uint32_t handle, uint32_t doubts, uint64_t key)
{
	struct weir_digestbook_report begun = { .key = key };

	begun.entry.handle = handle;
	begun.entry.doubts =
		WEIR_DIGEST_UNTOLD | (doubts & WEIR_DIGEST_EXISTED);
	record_unlocked(&begun);
}

static void take_away(struct weir_digestbook_entry *e,
		      const struct weir_written_old *old)
{
	weir_digest_sub(&e->sum, &old->sum);
	weir_digest_sub(&e->cover, &old->cover);
	e->bytes -= old->bytes;
	if (old->is_inexact)
		e->doubts |= WEIR_DIGEST_OVERWRITTEN;
}

/* What a stream has in its buffer comes later than it is put. */
static void note_order(struct weir_digestbook *book,
		       struct weir_digestbook_entry *e, int how,
		       const struct weir_written_old *old)
{
	uint32_t *buffered = &book->files[e->file].buffered;

	if (old->bytes && *buffered && *buffered != e->handle)
		e->doubts |= WEIR_DIGEST_BUFFERED;
	if (how & WEIR_DIGESTS_LATER)
		*buffered = !*buffered || *buffered == e->handle
				    ? e->handle
				    : WEIR_DIGESTBOOK_MANY;
}

/*
 * Programs that write step after step write the same pieces again: what they
 * cover, which takes as long to sum up as the bytes, stays.
 */
static bool replace_piece(struct weir_digestbook *book,
			  struct weir_digestbook_entry *e,
			  const struct weir_piece *piece, int how)
{
	struct weir_written_old old = { .bytes = piece->to - piece->from };

	if (how & WEIR_DIGESTS_STAYS ||
	    !weir_written_replace(weir_digestbook_written(book, e), piece,
				  &old.sum))
		return false;
	note_order(book, e, how, &old);
	weir_digest_sub(&e->sum, &old.sum);
	weir_digest_sum(&e->sum, &piece->sum);
	return true;
}

static void put_new_piece(struct weir_digestbook *book,
			  struct weir_digestbook_entry *e,
			  const struct weir_piece *piece, int how)
{
	struct weir_written_old old;

	weir_written_put(weir_digestbook_written(book, e), piece,
			 how & WEIR_DIGESTS_JOINS, &old);
	note_order(book, e, how, &old);
	if (!(how & WEIR_DIGESTS_STAYS))
		take_away(e, &old);
	weir_digest_sum(&e->sum, &piece->sum);
	weir_digest_cover(&e->cover, piece->from, piece->to - piece->from);
	e->bytes += piece->to - piece->from;
}

/* An end that lies within what was written is that of a file that lost it. */
static void put_piece(struct weir_digestbook *book,
		      struct weir_digestbook_entry *e,
		      const struct weir_piece *piece, int how)
{
	if (!replace_piece(book, e, piece, how))
		put_new_piece(book, e, piece, how);
	e->writes++;
	if (piece->to > e->end)
		e->end = piece->to;
}

/* Whether a call may go on with its pieces: their number may be any. */
static bool may_go_on(struct weir_digestbook *book,
		      struct weir_digestbook_entry *e, uint64_t bytes)
{
	struct weir_digestbook_file *file;

	weir_digestbook_written(book, e);
	file = &book->files[e->file];
	file->further++;
	file->further_bytes += bytes;
	if (file->further > MOST_PIECES &&
	    file->further_bytes / file->further < SMALL_PIECE)
		e->doubts |= WEIR_DIGEST_PIECES;
	return !(e->doubts & WEIR_DIGEST_PIECES);
}

static struct weir_piece piece_of(const struct weir_digests_piece *piece)
{
	return (struct weir_piece){
		.from = piece->position,
		.to = piece->position + piece->bytes,
		.sum = piece->sum,
	};
}

/* False: it was not put. */
static bool try_put(struct weir_digestbook *book,
		    struct weir_digestbook_entry *e,
		    const struct weir_digests_piece *piece)
{
	struct weir_piece made = piece_of(piece);

	if (piece->how & WEIR_DIGESTS_FURTHER
		    ? !may_go_on(book, e, piece->bytes)
		    : e->doubts & WEIR_DIGEST_PIECES)
		return false;
	put_piece(book, e, &made, piece->how);
	return true;
}

bool weir_digests_put(uint32_t handle, const struct weir_digests_piece *pieces,
		      uint32_t count)
{
	struct weir_digestbook *book = pieces->bytes ? lock_for(handle) : NULL;
	struct weir_digestbook_report evicted;
	struct weir_digestbook_entry *e;
	bool begins, done = true;
	uint32_t doubts;
	uint64_t key;

	if (!book)
		return true;
	e = weir_digestbook_enter(book, handle, &evicted);
	begins = !e->is_dirty;
	doubts = e->doubts;
	e->is_dirty = true;
	for (uint32_t i = 0; i < count && done; i++)
		done = try_put(book, e, &pieces[i]);
	key = weir_digestbook_key(book, e);
	weir_digestbook_unlock(book);
	record_unlocked(&evicted);
	if (begins)
		say_begun(handle, doubts, key);
	return done;
}

void weir_digests_doubt(uint32_t handle, uint32_t doubts)
{
	struct weir_digestbook *book = lock_for(handle);
	struct weir_digestbook_report evicted;

	if (!book)
		return;
	weir_digestbook_enter(book, handle, &evicted)->doubts |= doubts;
	weir_digestbook_unlock(book);
	record_unlocked(&evicted);
}

void weir_digests_trust(uint32_t handle, uint32_t doubts)
{
	struct weir_digestbook *book = lock_for(handle);
	struct weir_digestbook_entry *e;

	if (!book)
		return;
	e = weir_digestbook_find(book, handle);
	if (e)
		e->doubts &= ~doubts;
	weir_digestbook_unlock(book);
}

bool weir_digests_doubts(uint32_t handle, uint32_t doubts)
{
	struct weir_digestbook *book = lock_for(handle);
	const struct weir_digestbook_entry *e;
	bool doubted;

	if (!book)
		return false;
	e = weir_digestbook_find(book, handle);
	doubted = e && e->doubts & doubts;
	weir_digestbook_unlock(book);
	return doubted;
}

/* What is known to be written through a handle; NULL: nothing. */
static struct weir_written *written_of(struct weir_digestbook *book,
				       uint32_t handle)
{
	struct weir_digestbook_entry *e = weir_digestbook_find(book, handle);

	return e && e->file != NO_FILE ? weir_digestbook_written(book, e)
				       : NULL;
}

bool weir_digests_find(uint32_t handle, uint64_t position, uint64_t size,
		       uint64_t *ret_position, uint64_t *ret_size)
{
	struct weir_digestbook *book = lock_for(handle);
	struct weir_extent part = { position, position };
	struct weir_written *written;
	bool found = false;

	if (book) {
		written = written_of(book, handle);
		found = written && weir_written_find(written, position,
						     position + size, &part);
		weir_digestbook_unlock(book);
	}
	*ret_position = part.from;
	*ret_size = part.to - part.from;
	return found;
}

/* Under one lock: there may be many, and each is a moment's work. */
uint32_t weir_digests_blind_among(uint32_t handle,
				  const struct weir_digests_range *ranges,
				  uint32_t count,
				  struct weir_digests_range *ret_part)
{
	struct weir_digestbook *book = lock_for(handle);
	struct weir_extent part = { 0, 0 };
	struct weir_written *written;
	uint32_t at = 0;

	*ret_part = (struct weir_digests_range){ 0, 0 };
	if (!book)
		return count;
	written = written_of(book, handle);
	while (at < count &&
	       !(written && weir_written_blind(written, ranges[at].from,
					       ranges[at].to, &part)))
		at++;
	weir_digestbook_unlock(book);
	*ret_part = (struct weir_digests_range){ part.from, part.to };
	return at;
}

bool weir_digests_blind(uint32_t handle, uint64_t position, uint64_t size,
			uint64_t *ret_position, uint64_t *ret_size)
{
	struct weir_digests_range range = { position, position + size }, part;
	bool found = !weir_digests_blind_among(handle, &range, 1, &part);

	*ret_position = part.from;
	*ret_size = part.to - part.from;
	return found;
}

void weir_digests_learn(uint32_t handle, const struct weir_digests_piece *piece)
{
	struct weir_digestbook *book = lock_for(handle);
	struct weir_extent part = { piece->position,
				    piece->position + piece->bytes };
	struct weir_written *written;

	if (!book)
		return;
	written = written_of(book, handle);
	if (written)
		weir_written_learn(written, part, &piece->sum);
	weir_digestbook_unlock(book);
}

static void cut(struct weir_digestbook *book, struct weir_digestbook_entry *e,
		uint64_t length)
{
	struct weir_written_old old;

	weir_written_take(weir_digestbook_written(book, e), length, UINT64_MAX,
			  &old);
	take_away(e, &old);
	e->is_dirty |= old.bytes != 0;
	if (!length)
		e->doubts &= ~(uint32_t)WEIR_DIGEST_EXISTED;
	if (e->end > length)
		e->end = length;
}

void weir_digests_cut(uint32_t handle, uint64_t length)
{
	struct weir_digestbook *book = lock_for(handle);
	struct weir_digestbook_entry *e;

	if (!book)
		return;
	e = weir_digestbook_find(book, handle);
	if (e)
		cut(book, e, length);
	weir_digestbook_unlock(book);
}

/* Who was told that sums follow is told that they do not, and the reverse. */
void weir_digests_rename(uint32_t handle, uint32_t to, uint64_t key)
{
	struct weir_digestbook *book = lock_for(handle);
	struct weir_digestbook_report none = { 0 }, evicted = { 0 };
	struct weir_digestbook_entry *e, moved = { 0 };

	if (!book)
		return;
	e = weir_digestbook_find(book, handle);
	if (e) {
		weir_digestbook_rekey(book, e, key);
		moved = *e;
		e->handle = 0;
		e = weir_digestbook_enter(book, to, &evicted);
		moved.handle = to;
		*e = moved;
	}
	weir_digestbook_unlock(book);
	record_unlocked(&evicted);
	if (!moved.is_dirty)
		return;
	none.entry.handle = handle;
	record_unlocked(&none);
	say_begun(to, moved.doubts, key);
}

void weir_digests_tell(uint32_t handle)
{
	struct weir_digestbook *book = lock_for(handle);
	struct weir_digestbook_report report = { 0 };
	struct weir_digestbook_entry *e;

	if (!book)
		return;
	e = weir_digestbook_find(book, handle);
	if (e) {
		weir_digestbook_report(book, e, &report);
		if (e->file != NO_FILE &&
		    book->files[e->file].buffered == handle)
			book->files[e->file].buffered = 0;
		e->handle = 0;
	}
	weir_digestbook_unlock(book);
	record_unlocked(&report);
}

void weir_digests_end(void)
{
	struct weir_digestbook *book = weir_digestbook_look();

	for (uint32_t i = 0; book && i < WEIR_DIGESTBOOK_PLACES; i++)
		if (book->entries[i].handle)
			weir_digests_tell(book->entries[i].handle);
}
