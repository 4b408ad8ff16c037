/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that only the kernel can do: what was written is stored before them,
 * and those that use an offset find it in the kernel, and leave it there.
 */
#include "base/sys.h"
#include "forward/divert.h"
#include "forward/held.h"
#include "forward/known.h"

#include <linux/fs.h>
#include <unistd.h>

/* The same open file twice is held once. */
static void choose(struct weir_divert *hold, int fd, int other)
{
	int open = weir_fdtable_get(fd), second = weir_fdtable_get(other);
	int low = open < second ? 0 : 1;

	if (open == second)
		second = -1;
	hold->opens[!low] = second;
	hold->opens[low] = open;
	hold->fds[!low] = other;
	hold->fds[low] = fd;
}

/* False: it goes to the kernel anyway. */
static bool settle(uint32_t open, int fd)
{
	struct weir_session_open *at = weir_held_at(open);

	if (weir_held_is_kernels(open, fd))
		return false;
	weir_held_commit(open, WEIR_HELD_STORE);
	weir_sys3(SYS_lseek, fd, atomic_load(&at->offset), SEEK_SET);
	return true;
}

/* In one order, whoever does it: by their numbers. */
void weir_divert_settle_before(struct weir_divert *hold, int fd, int other)
{
	choose(hold, fd, other);
	for (int i = 0; i < 2; i++) {
		int open = hold->opens[i];

		if (open < 0)
			continue;
		if (!weir_opens_lock(weir_held_at((uint32_t)open)))
			hold->opens[i] = -1;
		else if (!settle((uint32_t)open, hold->fds[i])) {
			weir_opens_unlock(weir_held_at((uint32_t)open));
			hold->opens[i] = -1;
		}
	}
}

void weir_divert_settle_after(struct weir_divert *hold, long ret)
{
	for (int i = 0; i < 2; i++) {
		int open = hold->opens[i];
		long at;

		if (open < 0)
			continue;
		at = weir_sys3(SYS_lseek, hold->fds[i], 0, SEEK_CUR);
		if (at >= 0)
			atomic_store(&weir_held_at((uint32_t)open)->offset,
				     (uint64_t)at);
		weir_opens_unlock(weir_held_at((uint32_t)open));
	}
}

/* Some take a second descriptor. */
void weir_divert_device_before(struct weir_divert *hold, int fd,
			       unsigned long request, long arg)
{
	weir_divert_settle_before(hold, fd, request == FICLONE ? (int)arg : -1);
}

void weir_divert_device_after(struct weir_divert *hold, long ret)
{
	weir_divert_settle_after(hold, ret);
}

void weir_divert_stored_before(struct weir_divert *hold, int fd)
{
	int open = weir_fdtable_get(fd);

	if (open >= 0 && !weir_held_is_kernels((uint32_t)open, fd))
		weir_held_commit((uint32_t)open, WEIR_HELD_STORE);
}

void weir_divert_stored_after(struct weir_divert *hold, long ret)
{
}

void weir_divert_stored_all_before(struct weir_divert *hold)
{
	weir_known_commit_all();
}

void weir_divert_stored_all_after(struct weir_divert *hold, long ret)
{
}
