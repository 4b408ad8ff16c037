/* SPDX-License-Identifier: BSD-3-Clause */
/* What each descriptor stands for, by generation: fd -> handle and offset. */
#include "gate/fdmap.h"

#include "gate/ofd.h"

_Atomic uint64_t weir_fdmap_table[WEIR_FDMAP_COUNT];
static _Atomic uint32_t last_handle;
static _Atomic int top; /* one above the highest descriptor ever set */

uint32_t weir_fdmap_next_handle(void)
{
	return atomic_fetch_add(&last_handle, 1) + 1;
}

static void raise_top(int fd)
{
	int seen = atomic_load(&top);

	while (fd >= seen && !atomic_compare_exchange_weak(&top, &seen, fd + 1))
		;
}

void weir_fdmap_set(int fd, uint64_t entry)
{
	if (!weir_fdmap_holds(fd))
		return;
	raise_top(fd);
	weir_ofd_put(weir_fdmap_ofd(
		atomic_exchange(&weir_fdmap_table[fd], entry)));
}

uint64_t weir_fdmap_offer(int fd, uint64_t was, uint64_t entry)
{
	raise_top(fd);
	if (atomic_compare_exchange_strong(&weir_fdmap_table[fd], &was, entry))
		return entry;
	weir_ofd_put(weir_fdmap_ofd(entry));
	return was;
}

void weir_fdmap_set_cloexec(int fd, bool cloexec)
{
	if (!weir_fdmap_get(fd))
		return;
	if (cloexec)
		atomic_fetch_or(&weir_fdmap_table[fd], WEIR_FDMAP_CLOEXEC);
	else
		atomic_fetch_and(&weir_fdmap_table[fd],
				 ~(uint64_t)WEIR_FDMAP_CLOEXEC);
}

uint64_t weir_fdmap_take(int fd)
{
	/* Mostly there is none where a descriptor is new: that is one load. */
	if (!weir_fdmap_get(fd))
		return 0;
	return atomic_exchange(&weir_fdmap_table[fd], 0);
}

void weir_fdmap_drop(int fd)
{
	weir_ofd_put(weir_fdmap_ofd(weir_fdmap_take(fd)));
}

void weir_fdmap_drop_range(unsigned first, unsigned last)
{
	unsigned end = (unsigned)atomic_load(&top);

	for (unsigned fd = first; fd < end && fd <= last; fd++)
		weir_fdmap_drop((int)fd);
}

void weir_fdmap_cloexec_range(unsigned first, unsigned last)
{
	unsigned end = (unsigned)atomic_load(&top);

	for (unsigned fd = first; fd < end && fd <= last; fd++)
		weir_fdmap_set_cloexec((int)fd, true);
}

void weir_fdmap_share(bool will_exec)
{
	int end = atomic_load(&top);

	for (int fd = 0; fd < end; fd++) {
		uint64_t entry = weir_fdmap_get(fd);

		if (!(will_exec && entry & WEIR_FDMAP_CLOEXEC))
			weir_ofd_share(weir_fdmap_ofd(entry));
	}
}

void weir_fdmap_reset(void)
{
	int end = atomic_exchange(&top, 0);

	for (int fd = 0; fd < end; fd++)
		atomic_store(&weir_fdmap_table[fd], 0);
	atomic_store(&last_handle, 0);
}
