/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks the offset of an open file. */
#include "forward/files/opens.h"

#include "base/futex.h"
#include "forward/link/self.h"

#define WAITED UINT32_C(0x40000000) /* in `lock`: somebody sleeps on it */
#define LOOKS  100
#define STEP   UINT64_C(50000000) /* ns; then: does the owner live? */

/* As long as `seen` has the lock; also takes it away from the dead. */
static bool await(_Atomic uint32_t *lock, uint32_t seen, uint32_t me)
{
	uint32_t marked = seen | WAITED;

	if (seen != marked &&
	    !atomic_compare_exchange_strong(lock, &seen, marked))
		return false;
	if (!weir_futex_wait(lock, marked, STEP) ||
	    atomic_load(lock) != marked || !weir_self_has_ended(seen & ~WAITED))
		return false;
	return atomic_compare_exchange_strong(lock, &marked, me | WAITED);
}

/* What one writes takes less than to fall asleep and be woken. */
static uint32_t look_for_a_while(_Atomic uint32_t *lock, uint32_t seen)
{
	for (int i = 0; seen && weir_self_may_spin && i < LOOKS; i++) {
		weir_self_pause();
		seen = atomic_load_explicit(lock, memory_order_relaxed);
	}
	return seen;
}

static void lock_slowly(_Atomic uint32_t *lock, uint32_t seen, uint32_t me)
{
	for (;;) {
		seen = look_for_a_while(lock, seen);
		if (seen && await(lock, seen, me))
			return;
		seen = 0; /* others may sleep still */
		if (atomic_compare_exchange_strong(lock, &seen, me | WAITED))
			return;
	}
}

/* Which one this thread took last, and after how many jumps. */
static __thread struct weir_session_open *held;
static __thread uint32_t jumps;

/* A signal handler has jumped out of what had it. */
static void leave_behind(uint32_t me)
{
	if ((atomic_load(&held->lock) & ~WAITED) == me)
		weir_opens_unlock(held);
	held = NULL;
}

bool weir_opens_lock(struct weir_session_open *open)
{
	uint32_t me = weir_self_owner(), seen = 0;

	if (__builtin_expect(held && jumps != weir_self.jumps, 0))
		leave_behind(me);
	if (!atomic_compare_exchange_strong(&open->lock, &seen, me)) {
		if ((seen & ~WAITED) == me)
			return false;
		lock_slowly(&open->lock, seen, me);
	}
	held = open;
	jumps = weir_self.jumps;
	return true;
}

void weir_opens_unlock(struct weir_session_open *open)
{
	held = NULL;
	if (atomic_exchange(&open->lock, 0) & WAITED)
		weir_futex_wake(&open->lock, 1);
}
