/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the sums of digests.c: places for handles and files, and a lock. */
#include "capture/digests/digestbook.h"

#include "base/sys.h"
#include "gate/confined.h"

#include <sys/mman.h>

#define PLACES	 WEIR_DIGESTBOOK_PLACES
#define NO_FILE	 WEIR_DIGESTBOOK_NO_FILE
#define WAYS	 8	/* places that one may have */
#define PATIENCE 100000 /* times to look at the lock */

static struct weir_digestbook *_Atomic the_book;

static __thread char myself __attribute__((tls_model("initial-exec")));

struct weir_digestbook *weir_digestbook_look(void)
{
	return atomic_load(&the_book);
}

static struct weir_digestbook *make_book(void)
{
	struct weir_digestbook *none = NULL;
	size_t bytes = sizeof(struct weir_digestbook);
	long at;

	if (weir_confined)
		return NULL;
	at = weir_sys6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (weir_sys_failed(at))
		return NULL;
	if (weir_sys3(SYS_madvise, at, bytes, MADV_WIPEONFORK) ||
	    !atomic_compare_exchange_strong(&the_book, &none,
					    (struct weir_digestbook *)at))
		weir_sys2(SYS_munmap, at, bytes);
	return atomic_load(&the_book);
}

/*
 * Acquire and release: what is in the book is read and changed between the two
 * only. A signal may have come while this very thread had it; and nobody waits
 * for ever for a thread that was stopped.
 */
struct weir_digestbook *weir_digestbook_lock(void)
{
	struct weir_digestbook *book = atomic_load(&the_book);

	if (!book)
		book = make_book();
	for (int i = 0; book && i < PATIENCE; i++) {
		uintptr_t owner = 0;

		if (atomic_compare_exchange_weak_explicit(
			    &book->lock, &owner, (uintptr_t)&myself,
			    memory_order_acquire, memory_order_relaxed))
			return book;
		if (owner == (uintptr_t)&myself)
			break;
		if (owner && !weir_confined)
			weir_sys0(SYS_sched_yield);
	}
	if (book)
		atomic_fetch_or(&book->doubts, WEIR_DIGEST_CROWDED);
	return NULL;
}

void weir_digestbook_unlock(struct weir_digestbook *book)
{
	atomic_store_explicit(&book->lock, 0, memory_order_release);
}

struct weir_digestbook_entry *weir_digestbook_find(struct weir_digestbook *book,
						   uint32_t handle)
{
	for (uint32_t i = 0; i < WAYS; i++) {
		struct weir_digestbook_entry *e =
			&book->entries[(handle + i) % PLACES];

		if (e->handle == handle)
			return e;
	}
	return NULL;
}

/* The one that was used longest ago, or never. */
static struct weir_digestbook_entry *place_for(struct weir_digestbook *book,
					       uint32_t handle)
{
	struct weir_digestbook_entry *oldest = &book->entries[handle % PLACES];

	for (uint32_t i = 0; i < WAYS; i++) {
		struct weir_digestbook_entry *e =
			&book->entries[(handle + i) % PLACES];

		if (!e->handle)
			return e;
		if (e->used < oldest->used)
			oldest = e;
	}
	return oldest;
}

struct weir_digestbook_entry *
weir_digestbook_enter(struct weir_digestbook *book, uint32_t handle,
		      struct weir_digestbook_report *ret_evicted)
{
	struct weir_digestbook_entry *e = weir_digestbook_find(book, handle);

	ret_evicted->entry.handle = 0;
	if (!e) {
		e = place_for(book, handle);
		if (e->handle)
			weir_digestbook_report(book, e, ret_evicted);
		*e = (struct weir_digestbook_entry){ .handle = handle,
						     .file = NO_FILE };
	}
	e->used = ++book->clock;
	return e;
}

/* What was written of a file is forgotten: who overwrites it cannot know. */
static void forget_file(struct weir_digestbook *book, uint32_t file)
{
	weir_written_clear(&book->files[file].written);
	book->forgot = true;
	for (uint32_t i = 0; i < PLACES; i++) {
		struct weir_digestbook_entry *e = &book->entries[i];

		if (e->handle && e->file == file) {
			e->file = NO_FILE;
			e->doubts |= WEIR_DIGEST_CROWDED;
		}
	}
}

uint32_t weir_digestbook_file(struct weir_digestbook *book, uint64_t key)
{
	uint32_t oldest = (uint32_t)(key % PLACES);

	for (uint32_t i = 0; i < WAYS; i++) {
		uint32_t at = (uint32_t)((key + i) % PLACES);

		if (book->files[at].key == key)
			return at;
		if (book->files[at].used < book->files[oldest].used)
			oldest = at;
	}
	if (book->files[oldest].key)
		forget_file(book, oldest);
	book->files[oldest].key = key;
	book->files[oldest].further = book->files[oldest].further_bytes = 0;
	book->files[oldest].buffered = 0;
	return oldest;
}

struct weir_written *weir_digestbook_written(struct weir_digestbook *book,
					     struct weir_digestbook_entry *e)
{
	if (e->file == NO_FILE) /* nobody has said which: its own */
		e->file = weir_digestbook_file(book, ~(uint64_t)e->handle);
	book->files[e->file].used = ++book->clock;
	return &book->files[e->file].written;
}

uint64_t weir_digestbook_key(const struct weir_digestbook *book,
			     const struct weir_digestbook_entry *e)
{
	uint64_t own = ~(uint64_t)e->handle;
	uint64_t key = e->file == NO_FILE ? 0 : book->files[e->file].key;

	return key == own ? 0 : key;
}

void weir_digestbook_rekey(struct weir_digestbook *book,
			   struct weir_digestbook_entry *e, uint64_t key)
{
	uint32_t to = weir_digestbook_file(book, key), from = e->file;
	struct weir_digestbook_file *old;

	if (from == NO_FILE || from == to) { /* or it had to make room */
		e->file = to;
		return;
	}
	old = &book->files[from];
	weir_written_clear(&book->files[to].written);
	book->files[to] = *old;
	book->files[to].key = key;
	*old = (struct weir_digestbook_file){ 0 };
	for (uint32_t i = 0; i < PLACES; i++)
		if (book->entries[i].handle && book->entries[i].file == from)
			book->entries[i].file = to;
}

/* Nothing but that there was a file that existed before: not worth it. */
static bool is_idle(const struct weir_digestbook_entry *e)
{
	if (e->is_dirty || e->doubts & ~(uint32_t)WEIR_DIGEST_EXISTED)
		return false;
	return e->is_told || e->doubts;
}

void weir_digestbook_report(struct weir_digestbook *book,
			    struct weir_digestbook_entry *e,
			    struct weir_digestbook_report *ret)
{
	struct weir_written *written =
		e->file == NO_FILE ? NULL : &book->files[e->file].written;

	if (is_idle(e))
		return;
	ret->entry = *e;
	ret->key = weir_digestbook_key(book, e);
	ret->entry.doubts |= atomic_load(&book->doubts);
	ret->extents[0] = 0;
	if (written &&
	    (!weir_written_tell(written, ret->extents, sizeof(ret->extents)) ||
	     weir_written_is_coarse(written)))
		ret->entry.doubts |= WEIR_DIGEST_COARSE;
	e->sum = e->cover = (struct weir_digest){ 0 };
	e->bytes = e->writes = 0;
	e->is_dirty = false;
	e->is_told = true;
}
