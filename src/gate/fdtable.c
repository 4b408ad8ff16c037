/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of descriptors, and which of them are forwarded. */
#include "gate/fdtable.h"

struct weir_fdtable_row weir_fdtable[WEIR_FDTABLE_COUNT];
static _Atomic unsigned top; /* above all that were ever forwarded */

void weir_fdtable_raise(_Atomic unsigned *limit, int fd)
{
	unsigned seen = atomic_load(limit);

	while (seen <= (unsigned)fd &&
	       !atomic_compare_exchange_weak(limit, &seen, (unsigned)fd + 1))
		;
}

int weir_fdtable_swap(int fd, int open)
{
	struct weir_fdtable_row *row;

	if (!weir_fdtable_holds(fd))
		return -1;
	row = &weir_fdtable[fd];
	atomic_store_explicit(&row->is_deferred, false, memory_order_relaxed);
	if (open >= 0)
		weir_fdtable_raise(&top, fd);
	return (int)atomic_exchange(&row->open, (uint16_t)(open + 1)) - 1;
}

void weir_fdtable_set(int fd, int open)
{
	weir_fdtable_swap(fd, open);
}

bool weir_fdtable_change(int fd, int old, int open)
{
	uint16_t seen = (uint16_t)(old + 1);

	return atomic_compare_exchange_strong(&weir_fdtable[fd].open, &seen,
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
