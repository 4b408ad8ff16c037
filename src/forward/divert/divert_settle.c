/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prepares calls that only the kernel can do: what was written is stored before
 * them, and those that use an offset find it in the kernel, and leave it there.
 */
#include "base/sys.h"
#include "forward/deferred/deferral.h"
#include "forward/deferred/release.h"
#include "forward/divert/divert.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/opens.h"
#include "forward/files/servedfiles.h"
#include "forward/transfer/touch.h"

#include <linux/fs.h>
#include <unistd.h>

/* What the kernel will do to one that is not handed over is noted before. */
static int share_open(int fd)
{
	int entry = weir_lazyopen_share(fd);

	return weir_lazyopen_is(entry) ? -1 : entry;
}

/* The same open file twice is locked once. */
static void choose_order(struct weir_divert *hold, int fd, int other)
{
	int open = share_open(fd), second = share_open(other);
	int low = open < second ? 0 : 1;

	if (open == second)
		second = -1;
	hold->opens[!low] = second;
	hold->opens[low] = open;
	hold->fds[!low] = other;
	hold->fds[low] = fd;
}

/*
 * Under its lock, which stays taken when the kernel's offset is of account only
 * for this call. 0 or -errno.
 */
static int settle_open(struct weir_divert *hold, int i)
{
	int open = hold->opens[i], fd = hold->fds[i], ret = 0;
	struct weir_session_open *at = weir_openfiles_at((uint32_t)open);

	hold->opens[i] = -1;
	if (!weir_opens_lock(at))
		return 0;
	if (!weir_openfiles_is_kernels((uint32_t)open, fd)) {
		ret = weir_openfiles_commit((uint32_t)open,
					    WEIR_OPENFILES_STORE);
		if (!ret) {
			weir_sys3(SYS_lseek, fd, atomic_load(&at->offset),
				  SEEK_SET);
			hold->opens[i] = open;
			return 0;
		}
	}
	weir_opens_unlock(at);
	return ret;
}

/* In one order, whoever does it: by their numbers. */
int weir_divert_settle_before(struct weir_divert *hold, int fd, int other)
{
	int ret = weir_deferral_materialise(fd);

	if (!ret)
		ret = weir_deferral_materialise(other);
	choose_order(hold, fd, other);
	for (int i = 0; i < 2; i++)
		if (hold->opens[i] >= 0 && !ret)
			ret = settle_open(hold, i);
		else
			hold->opens[i] = -1;
	if (ret)
		weir_divert_settle_after(hold, -1);
	return ret;
}

long weir_divert_settle_after(struct weir_divert *hold, long ret)
{
	for (int i = 0; i < 2; i++) {
		int open = hold->opens[i];
		long at;

		if (open < 0)
			continue;
		at = weir_sys3(SYS_lseek, hold->fds[i], 0, SEEK_CUR);
		if (at >= 0)
			atomic_store(&weir_openfiles_at((uint32_t)open)->offset,
				     (uint64_t)at);
		weir_opens_unlock(weir_openfiles_at((uint32_t)open));
	}
	return ret;
}

int weir_divert_splice_before(struct weir_divert *hold, int in, int out)
{
	int ret = weir_release_fd(in);

	return ret ? ret : weir_release_fd(out);
}

long weir_divert_splice_after(struct weir_divert *hold, long ret)
{
	return ret;
}

/* Files that are to share what they have in common: what they have counts. */
static void store_others(const struct file_dedupe_range *range)
{
	if (!weir_touch_can_read(range, sizeof(*range)) ||
	    !weir_touch_can_read(range->info,
				 range->dest_count * sizeof(*range->info)))
		return;
	for (int i = 0; i < range->dest_count; i++)
		weir_divert_stored_before(NULL, (int)range->info[i].dest_fd);
}

/* Some take a second descriptor; -1: not this one. */
static int second_of(unsigned long request, long arg)
{
	const struct file_clone_range *range = (const void *)arg;

	if (request == FICLONE)
		return (int)arg;
	if (request == FICLONERANGE &&
	    weir_touch_can_read(range, sizeof(*range)))
		return (int)range->src_fd;
	if (request == FIDEDUPERANGE)
		store_others((const void *)arg);
	return -1;
}

int weir_divert_device_before(struct weir_divert *hold, int fd,
			      unsigned long request, long arg)
{
	return weir_divert_settle_before(hold, fd, second_of(request, arg));
}

long weir_divert_device_after(struct weir_divert *hold, long ret)
{
	return weir_divert_settle_after(hold, ret);
}

int weir_divert_stored_before(struct weir_divert *hold, int fd)
{
	int open, ret = weir_deferral_materialise(fd);

	if (ret)
		return ret;
	open = weir_lazyopen_look(fd);
	if (open >= 0 && !weir_openfiles_is_kernels((uint32_t)open, fd))
		return weir_openfiles_commit((uint32_t)open,
					     WEIR_OPENFILES_STORE);
	return 0;
}

long weir_divert_stored_after(struct weir_divert *hold, long ret)
{
	return ret;
}

int weir_divert_stored_all_before(struct weir_divert *hold)
{
	if (weir_link_is_deferring)
		weir_deferral_materialise_all();
	weir_servedfiles_commit_all();
	return 0;
}

long weir_divert_stored_all_after(struct weir_divert *hold, long ret)
{
	return ret;
}
