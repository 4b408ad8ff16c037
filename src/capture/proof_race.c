/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of this process that write the same bytes at once. */
#include "capture/observe.h"
#include "capture/proof.h"
#include "capture/proofbook.h"

#define FLIGHTS WEIR_PROOFBOOK_FLIGHTS

static bool is_same(const struct weir_proofbook_flight *one,
		    const struct weir_proofbook_flight *other)
{
	return one->file == other->file && one->from < other->to &&
	       other->from < one->to;
}

/* The place of a thread, which has one call at a time; or a free one. */
static struct weir_proofbook_flight *place_of(struct weir_proofbook *book,
					      const void *owner)
{
	struct weir_proofbook_flight *free = NULL;

	for (uint32_t i = 0; i < FLIGHTS; i++) {
		if (book->flights[i].owner == owner)
			return &book->flights[i];
		if (!book->flights[i].owner && !free)
			free = &book->flights[i];
	}
	return free;
}

static void take_off(struct weir_proofbook *book,
		     struct weir_proofbook_flight *flight)
{
	for (uint32_t i = 0; i < FLIGHTS; i++) {
		struct weir_proofbook_flight *other = &book->flights[i];

		if (other->owner && other->owner != flight->owner &&
		    is_same(other, flight))
			other->has_met = flight->has_met = true;
	}
}

void weir_proof_race_enter(uint32_t handle, uint64_t from, uint64_t to)
{
	struct weir_proofbook *book = weir_proofbook_lock();
	struct weir_proofbook_flight made =
					     {
						     .owner = weir_thread_self,
						     .from = from,
						     .to = to,
					     },
				     *place;
	struct weir_proofbook_entry *e;

	if (!book)
		return;
	e = weir_proofbook_find(book, handle);
	place = e ? place_of(book, made.owner) : NULL;
	if (place) {
		made.file = e->file;
		take_off(book, &made);
		*place = made;
	} else if (e) {
		e->doubts |= WEIR_DIGEST_CROWDED;
	}
	weir_proofbook_unlock(book);
}

void weir_proof_race_leave(uint32_t handle)
{
	struct weir_proofbook *book = weir_proofbook_lock();
	struct weir_proofbook_flight *place;
	struct weir_proofbook_entry *e;

	if (!book)
		return;
	place = place_of(book, weir_thread_self);
	if (place && place->owner) {
		e = place->has_met ? weir_proofbook_find(book, handle) : NULL;
		if (e)
			e->doubts |= WEIR_DIGEST_RACED;
		*place = (struct weir_proofbook_flight){.owner = NULL};
	}
	weir_proofbook_unlock(book);
}
