/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps a descriptor to its handle and offset, by generation. */
#include "gate/fdmap.h"

#include "gate/ofd.h"

static _Atomic uint32_t last_handle;
static _Atomic unsigned top; /* one above the highest descriptor ever set */

uint32_t weir_fdmap_next_handle(void)
{
	return atomic_fetch_add(&last_handle, 1) + 1;
}

void weir_fdmap_set(int fd, uint64_t entry)
{
	if (!weir_fdtable_holds(fd))
		return;
	weir_fdtable_raise(&top, fd);
	weir_ofd_put(weir_fdmap_ofd(
		atomic_exchange(&weir_fdtable[fd].handle, entry)));
}

uint64_t weir_fdmap_offer(int fd, uint64_t was, uint64_t entry)
{
	weir_fdtable_raise(&top, fd);
	if (atomic_compare_exchange_strong(&weir_fdtable[fd].handle, &was,
					   entry))
		return entry;
	weir_ofd_put(weir_fdmap_ofd(entry));
	return was;
}

void weir_fdmap_set_cloexec(int fd, bool cloexec)
{
	if (!weir_fdmap_get(fd))
		return;
	if (cloexec)
		atomic_fetch_or(&weir_fdtable[fd].handle, WEIR_FDMAP_CLOEXEC);
	else
		atomic_fetch_and(&weir_fdtable[fd].handle,
				 ~(uint64_t)WEIR_FDMAP_CLOEXEC);
}

uint64_t weir_fdmap_take(int fd)
{
	/* Mostly there is none where a descriptor is new: that is one load. */
	if (!weir_fdmap_get(fd))
		return 0;
	return atomic_exchange(&weir_fdtable[fd].handle, 0);
}

void weir_fdmap_drop(int fd)
{
	weir_ofd_put(weir_fdmap_ofd(weir_fdmap_take(fd)));
}

void weir_fdmap_drop_range(unsigned first, unsigned last)
{
	unsigned end = atomic_load(&top);

	for (unsigned fd = first; fd < end && fd <= last; fd++)
		weir_fdmap_drop((int)fd);
}

void weir_fdmap_cloexec_range(unsigned first, unsigned last)
{
	unsigned end = atomic_load(&top);

	for (unsigned fd = first; fd < end && fd <= last; fd++)
		weir_fdmap_set_cloexec((int)fd, true);
}

void weir_fdmap_share(bool will_exec)
{
	unsigned end = atomic_load(&top);

	for (unsigned fd = 0; fd < end; fd++) {
		uint64_t entry = weir_fdmap_get((int)fd);

		if (!(will_exec && entry & WEIR_FDMAP_CLOEXEC))
			weir_ofd_share(weir_fdmap_ofd(entry));
	}
}

void weir_fdmap_reset(void)
{
	unsigned end = atomic_exchange(&top, 0);

	for (unsigned fd = 0; fd < end; fd++)
		atomic_store(&weir_fdtable[fd].handle, 0);
	atomic_store(&last_handle, 0);
}
