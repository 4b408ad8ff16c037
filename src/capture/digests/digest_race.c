/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds threads of this process that write the same bytes at once. */
#include "capture/digests/digestbook.h"
#include "capture/digests/digests.h"
#include "capture/memory/thread.h"

#define FLIGHTS WEIR_DIGESTBOOK_FLIGHTS

static bool meets_bytes(const struct weir_digestbook_flight *one,
			const struct weir_digestbook_flight *other)
{
	return one->file == other->file && one->from < other->to &&
	       other->from < one->to;
}

/* The place of a thread, which has one call at a time; or a free one. */
static struct weir_digestbook_flight *flight_of(struct weir_digestbook *book,
						const void *owner)
{
	struct weir_digestbook_flight *free = NULL;

	for (uint32_t i = 0; i < FLIGHTS; i++) {
		if (book->flights[i].owner == owner)
			return &book->flights[i];
		if (!book->flights[i].owner && !free)
			free = &book->flights[i];
	}
	return free;
}

static void take_off(struct weir_digestbook *book,
		     struct weir_digestbook_flight *flight)
{
	for (uint32_t i = 0; i < FLIGHTS; i++) {
		struct weir_digestbook_flight *other = &book->flights[i];

		if (other->owner && other->owner != flight->owner &&
		    meets_bytes(other, flight))
			other->has_met = flight->has_met = true;
	}
}

void weir_digest_race_enter(uint32_t handle, uint64_t from, uint64_t to)
{
	struct weir_digestbook *book = weir_digestbook_lock();
	struct weir_digestbook_flight made =
					      {
						      .owner = weir_thread_self,
						      .from = from,
						      .to = to,
					      },
				      *place;
	struct weir_digestbook_entry *e;

	if (!book)
		return;
	e = weir_digestbook_find(book, handle);
	place = e ? flight_of(book, made.owner) : NULL;
	if (place) {
		made.file = e->file;
		take_off(book, &made);
		*place = made;
	} else if (e) {
		e->doubts |= WEIR_DIGEST_CROWDED;
	}
	weir_digestbook_unlock(book);
}

void weir_digest_race_leave(uint32_t handle)
{
	struct weir_digestbook *book = weir_digestbook_lock();
	struct weir_digestbook_flight *place;
	struct weir_digestbook_entry *e;

	if (!book)
		return;
	place = flight_of(book, weir_thread_self);
	if (place && place->owner) {
		e = place->has_met ? weir_digestbook_find(book, handle) : NULL;
		if (e)
			e->doubts |= WEIR_DIGEST_RACED;
		*place = (struct weir_digestbook_flight){ .owner = NULL };
	}
	weir_digestbook_unlock(book);
}
