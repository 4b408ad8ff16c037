/* SPDX-License-Identifier: BSD-3-Clause */
/* Which descriptors of this process are forwarded, and as which open file. */
#include "gate/fdtable.h"

_Atomic uint16_t weir_fdtable[WEIR_FDTABLE_COUNT];
_Atomic unsigned char weir_fdtable_deferred[WEIR_FDTABLE_COUNT];
static _Atomic unsigned top;

int weir_fdtable_swap(int fd, int open)
{
	unsigned seen = atomic_load(&top);

	if ((unsigned)fd >= WEIR_FDTABLE_COUNT)
		return -1;
	atomic_store_explicit(&weir_fdtable_deferred[fd], 0,
			      memory_order_relaxed);
	while (open >= 0 && seen <= (unsigned)fd &&
	       !atomic_compare_exchange_weak(&top, &seen, (unsigned)fd + 1))
		;
	return (int)atomic_exchange(&weir_fdtable[fd], (uint16_t)(open + 1)) -
	       1;
}

void weir_fdtable_set(int fd, int open)
{
	weir_fdtable_swap(fd, open);
}

bool weir_fdtable_change(int fd, int old, int open)
{
	uint16_t seen = (uint16_t)(old + 1);

	return atomic_compare_exchange_strong(&weir_fdtable[fd], &seen,
					      (uint16_t)(open + 1));
}

unsigned weir_fdtable_top(void)
{
	return atomic_load(&top);
}

int weir_fdtable_next(unsigned first, unsigned end)
{
	unsigned above = weir_fdtable_top();

	for (unsigned fd = first; fd < end && fd < above; fd++)
		if (weir_fdtable_peek((int)fd) >= 0)
			return (int)fd;
	return -1;
}
