/* SPDX-License-Identifier: BSD-3-Clause */
/* forward: who may move the offset of an open file. */
#include "forward/opens.h"

#include "base/futex.h"
#include "forward/self.h"

#define WAITED UINT32_C(0x40000000) /* in `lock`: somebody sleeps on it */
#define STEP   UINT64_C(50000000)   /* ns; then: does the owner live? */

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

bool weir_opens_lock(struct weir_session_open *open)
{
	_Atomic uint32_t *lock = &open->lock;
	uint32_t me = weir_self_owner(), seen = 0;

	if (atomic_compare_exchange_strong(lock, &seen, me))
		return true;
	for (;;) {
		if ((seen & ~WAITED) == me)
			return false;
		if (seen && await(lock, seen, me))
			return true;
		seen = 0; /* others may sleep still */
		if (atomic_compare_exchange_strong(lock, &seen, me | WAITED))
			return true;
	}
}

void weir_opens_unlock(struct weir_session_open *open)
{
	_Atomic uint32_t *lock = &open->lock;

	if (atomic_exchange(lock, 0) & WAITED)
		weir_futex_wake(lock, 1);
}
