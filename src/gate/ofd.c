/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows the offset that duplicated descriptors share. */
#include "gate/ofd.h"

#define PROBES 64

struct weir_ofd weir_ofd_table[WEIR_OFD_COUNT];

/* Above the last one ever in use: to look at more would cost pages. */
static _Atomic uint32_t used;

static void raise_used(uint32_t count)
{
	uint32_t seen = atomic_load_explicit(&used, memory_order_relaxed);

	while (seen < count &&
	       !atomic_compare_exchange_weak(&used, &seen, count))
		;
}

static bool claim_ofd(uint32_t number, uint32_t traits, bool known)
{
	struct weir_ofd *ofd = &weir_ofd_table[number];
	uint32_t none = 0;

	raise_used(number + 1); /* first: who forks now must clear it */
	if (!atomic_compare_exchange_strong(&ofd->users, &none, 1))
		return false;
	/* Others see it by the entry that it is for, which is set later. */
	atomic_store_explicit(&ofd->traits, traits, memory_order_relaxed);
	atomic_store_explicit(&ofd->word, known ? 0 : WEIR_OFD_UNKNOWN,
			      memory_order_relaxed);
	return true;
}

uint32_t weir_ofd_new(int fd, uint32_t traits, bool position_known)
{
	/* Descriptors are small numbers: mostly the first probe is free. */
	for (uint32_t i = 0; i < PROBES; i++) {
		uint32_t ofd = ((uint32_t)fd + 1 + i) % WEIR_OFD_COUNT;

		if (ofd && claim_ofd(ofd, traits, position_known))
			return ofd;
	}
	return 0;
}

void weir_ofd_get(uint32_t ofd)
{
	if (ofd)
		atomic_fetch_add(&weir_ofd_table[ofd].users, 1);
}

void weir_ofd_put(uint32_t ofd)
{
	if (ofd)
		atomic_fetch_sub(&weir_ofd_table[ofd].users, 1);
}

void weir_ofd_share(uint32_t ofd)
{
	if (!ofd)
		return;
	atomic_fetch_or(&weir_ofd_table[ofd].traits, WEIR_OFD_SHARED);
	atomic_fetch_or(&weir_ofd_table[ofd].word, WEIR_OFD_UNKNOWN);
}

void weir_ofd_reset(void)
{
	uint32_t count = atomic_exchange(&used, 0);

	for (uint32_t i = 0; i < count; i++)
		atomic_store(&weir_ofd_table[i].users, 0);
}

/* The word after a call that was alone: position moved, nobody inside. */
static uint64_t moved(uint64_t inside, struct weir_ofd_move move,
		      uint32_t traits)
{
	uint64_t word = inside - WEIR_OFD_INSIDE;
	int64_t base = move.absolute ? 0 : (int64_t)(word & WEIR_OFD_POSITION);
	int64_t position = base + move.by;
	bool known = move.certain &&
		     !(traits & (WEIR_OFD_SHARED | WEIR_OFD_NOSEEK)) &&
		     (move.absolute || !(word & WEIR_OFD_UNKNOWN)) &&
		     position >= 0 && (uint64_t)position <= WEIR_OFD_POSITION;

	word &= ~(WEIR_OFD_POSITION | WEIR_OFD_UNKNOWN);
	return known ? word | (uint64_t)position : word | WEIR_OFD_UNKNOWN;
}

bool weir_ofd_leave_alone(uint32_t ofd, uint64_t entered,
			  struct weir_ofd_move move)
{
	struct weir_ofd *o = &weir_ofd_table[ofd];
	uint64_t inside = entered + WEIR_OFD_INSIDE + WEIR_OFD_EPOCH;
	uint64_t next = moved(inside, move, atomic_load(&o->traits));

	return !(entered & WEIR_OFD_INSIDES) &&
	       atomic_compare_exchange_strong(&o->word, &inside, next);
}

/* Somebody else was inside meanwhile: admit that nothing is sure. */
void weir_ofd_leave_crowd(uint32_t ofd)
{
	struct weir_ofd *o = &weir_ofd_table[ofd];

	atomic_fetch_or(&o->word, WEIR_OFD_UNKNOWN);
	atomic_fetch_sub(&o->word, WEIR_OFD_INSIDE);
}

bool weir_ofd_leave(uint32_t ofd, uint64_t entered, struct weir_ofd_move move,
		    uint64_t *ret_position)
{
	if (weir_ofd_leave_alone(ofd, entered, move)) {
		*ret_position = entered & WEIR_OFD_POSITION;
		return !(entered & WEIR_OFD_UNKNOWN);
	}
	weir_ofd_leave_crowd(ofd);
	return false;
}
