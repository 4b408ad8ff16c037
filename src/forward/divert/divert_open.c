/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Diverts open, dup and close. The kernel opens files first and decides about
 * everything; what it opened is handed over to the service.
 */
#include "base/sys.h"
#include "forward/deferred/deferral.h"
#include "forward/deferred/release.h"
#include "forward/divert/cookiestream.h"
#include "forward/divert/divert.h"
#include "forward/files/adopt.h"
#include "forward/files/fdpark.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/opens.h"
#include "forward/files/ownfds.h"
#include "forward/files/servedfiles.h"
#include "forward/transfer/touch.h"
#include "gate/fdtable.h"
#include "gate/gate.h"
#include "spec/real.h"

#include <fcntl.h>
#include <linux/openat2.h>

/* libc may have a stream of its own on the number. */
static void adopt(int fd, int flags)
{
	weir_adopt(fd, flags);
	if (weir_fdtable_peek(fd) >= 0)
		weir_cookiestream_put_below(fd);
}

/*
 * What is not stored yet of a file must not be when the kernel has cut it, so
 * the service cuts it. It is known after all whether the program may.
 */
static int open_and_cut(int dir, const char *path, int flags, unsigned mode)
{
	int err, fd = weir_real.openat(dir, path, flags & ~O_TRUNC, mode);

	if (fd < 0)
		return fd;
	adopt(fd, flags);
	if (!weir_divert_ftruncate(fd, 0))
		return fd;
	err = weir_gate_errno();
	weir_divert_close(fd);
	weir_gate_set_errno(err);
	return -1;
}

/* Whether it is, when the service has such a file; else the kernel may. */
static bool must_cut(int dir, const char *path, int flags, bool ours)
{
	struct weir_servedfile served;

	if (!(flags & O_TRUNC) || flags & O_PATH ||
	    !weir_servedfiles_find_name(dir, path, true, &served) ||
	    served.flags & WEIR_FILE_BYPASS)
		return false;
	if (ours && (flags & O_ACCMODE) != O_RDONLY)
		return true;
	weir_servedfiles_bypass(&served);
	return false;
}

int weir_divert_openat(int dir, const char *path, int flags, unsigned mode)
{
	bool ours = weir_ownfds_are_ours();
	int fd;

	if (weir_gate_unlikely(weir_link_is_deferring) &&
	    weir_deferral_open(dir, path, flags, mode, &fd)) {
		if (fd >= 0)
			weir_cookiestream_put_below(fd);
		return fd;
	}
	if (must_cut(dir, path, flags, ours))
		return open_and_cut(dir, path, flags, mode);
	fd = weir_real.openat(dir, path, flags, mode);
	if (fd >= 0 && ours && !(flags & O_PATH))
		adopt(fd, flags);
	return fd;
}

int weir_divert_opened_before(struct weir_divert *hold, int flags)
{
	hold->number = flags;
	return 0;
}

long weir_divert_opened_after(struct weir_divert *hold, long fd)
{
	if (fd >= 0 && weir_ownfds_are_ours())
		adopt((int)fd, hold->number);
	return fd;
}

/*
 * A struct open_how: what restrains the way to the file, the kernel knows. What
 * it cuts is stored before, and then its own.
 */
int weir_divert_how_before(struct weir_divert *hold, int dir, const char *path,
			   const void *how)
{
	const struct open_how *asked = how;
	bool is_there = weir_touch_can_read(asked, sizeof(*asked));

	hold->number = is_there ? (int)asked->flags : O_PATH;
	must_cut(dir, path, hold->number, false);
	return 0;
}

long weir_divert_how_after(struct weir_divert *hold, long fd)
{
	if (hold->number & O_PATH)
		return fd;
	return weir_divert_opened_after(hold, fd);
}

/* Which file it is, nobody knows before. */
int weir_divert_handle_before(struct weir_divert *hold, int flags)
{
	if (flags & O_TRUNC)
		weir_servedfiles_commit_all();
	return 0;
}

long weir_divert_handle_after(struct weir_divert *hold, long fd)
{
	return weir_divert_found_after(hold, fd);
}

/* How it was opened is not known. */
int weir_divert_found_before(struct weir_divert *hold)
{
	return 0;
}

long weir_divert_found_after(struct weir_divert *hold, long fd)
{
	if (fd >= 0 && weir_ownfds_are_ours())
		weir_adopt_for_kernel((int)fd);
	return fd;
}

int weir_divert_close(int fd)
{
	int open, status = 0, ret;

	if (!weir_ownfds_are_ours())
		return weir_real.close(fd);
	open = weir_fdtable_swap(fd, -1);
	if (open >= 0)
		status = weir_lazyopen_drop(open);
	ret = weir_real.close(fd);
	if (ret || !status)
		return ret;
	weir_gate_set_errno(-status);
	return -1;
}

#define CLOSES_ON_EXEC 4u /* CLOSE_RANGE_CLOEXEC */
#define UNSHARES       2u /* CLOSE_RANGE_UNSHARE */

int weir_divert_sweep_before(struct weir_divert *hold, unsigned first,
			     unsigned last, int flags)
{
	int open, fd = (int)first - 1;

	if ((unsigned)flags & ~UNSHARES || first > last ||
	    !weir_ownfds_are_ours())
		return 0;
	last = last < WEIR_FDTABLE_COUNT ? last + 1 : WEIR_FDTABLE_COUNT;
	while ((fd = weir_fdtable_next((unsigned)fd + 1, last)) >= 0) {
		open = weir_fdtable_swap(fd, -1);
		if (open >= 0)
			weir_lazyopen_drop(open);
	}
	return 0;
}

long weir_divert_sweep_after(struct weir_divert *hold, long ret)
{
	return ret;
}

static void count_one_more(int entry)
{
	if (weir_lazyopen_is(entry))
		weir_lazyopen_count(entry);
	else if (entry >= 0)
		weir_opens_share(weir_openfiles_at((uint32_t)entry));
}

static void count_one_less(int entry)
{
	if (weir_lazyopen_is(entry))
		weir_lazyopen_uncount(entry);
	else if (entry >= 0)
		weir_opens_drop(weir_openfiles_at((uint32_t)entry));
}

/* Counted before there is one more, lest the last one is closed meanwhile. */
int weir_divert_dup_before(struct weir_divert *hold, int fd, int to)
{
	hold->number = to;
	hold->fds[1] = fd;
	hold->opens[0] = -1;
	hold->word = weir_ownfds_are_ours();
	if (to >= (int)WEIR_FDTABLE_COUNT) /* nobody would find it there */
		weir_deferral_materialise(fd);
	if (fd == to)
		hold->word = 0;
	else if (!hold->word)
		weir_release_fd(fd); /* a vforked child will use it */
	else
		hold->opens[0] = weir_lazyopen_dup(fd);
	count_one_more(hold->opens[0]);
	return 0;
}

/* What stood there before is closed, and nobody is told how that went. */
long weir_divert_dup_after(struct weir_divert *hold, long ret)
{
	int old;

	if (!hold->word)
		return ret;
	if (ret < 0) {
		count_one_less(hold->opens[0]);
		return ret;
	}
	if (!weir_fdtable_holds((int)ret)) {
		if (weir_lazyopen_is(hold->opens[0]))
			weir_release_fd(hold->fds[1]);
		else if (hold->opens[0] >= 0)
			weir_release_open((uint32_t)hold->opens[0], (int)ret);
		return ret;
	}
	old = weir_fdtable_swap((int)ret, hold->opens[0]);
	weir_deferral_mark((int)ret, hold->opens[0]);
	if (old >= 0)
		weir_lazyopen_drop(old);
	if (hold->opens[0] >= 0)
		weir_cookiestream_put_below((int)ret);
	return ret;
}

/* What a deferred file can do as well. */
static bool is_simple(int cmd, long arg)
{
	if (cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC)
		return arg < (long)WEIR_FDTABLE_COUNT;
	if (cmd == F_SETFL)
		return !(arg & (O_DIRECT | O_NOATIME | O_ASYNC));
	return cmd == F_GETFD || cmd == F_SETFD || cmd == F_GETFL;
}

/* It may count from where the file is. */
static bool is_lock(int cmd)
{
	return cmd == F_SETLK || cmd == F_SETLKW || cmd == F_GETLK ||
	       cmd == F_OFD_SETLK || cmd == F_OFD_SETLKW || cmd == F_OFD_GETLK;
}

/*
 * A lock is lost when any descriptor of its file is closed, as those are that
 * bring the file when it is materialised: so that is over before.
 */
static void materialise_for(int fd, int cmd, long arg)
{
	if (cmd == F_SETLK || cmd == F_SETLKW)
		weir_deferral_materialise_own();
	else if (!is_simple(cmd, arg))
		weir_deferral_materialise(fd);
}

#define SETTABLE (O_APPEND | O_DIRECT | O_NOATIME | O_NONBLOCK | O_ASYNC)

static void set_flags(uint32_t open, uint32_t flags)
{
	_Atomic uint32_t *now = &weir_openfiles_at(open)->flags;
	uint32_t old = atomic_load(now);

	while (!atomic_compare_exchange_weak(
		now, &old, (old & ~SETTABLE) | (flags & SETTABLE)))
		;
}

int weir_divert_control_before(struct weir_divert *hold, int fd, int cmd,
			       long arg)
{
	hold->number = -1;
	hold->word = 0;
	hold->fds[0] = -1;
	if (weir_link_is_deferring)
		materialise_for(fd, cmd, arg);
	if (cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC) {
		weir_divert_dup_before(hold, fd, -1);
	} else if (cmd == F_SETFL) {
		hold->fds[0] = fd;
		hold->fds[1] = (int)arg;
	} else if (cmd == F_SETFD && !weir_ownfds_are_ours()) {
		weir_release_fd(fd);
	} else if (is_lock(cmd)) {
		weir_fdpark_is_wanted |= cmd == F_SETLK || cmd == F_SETLKW;
		weir_openfiles_leave_offset(fd);
	}
	hold->file = (uint32_t)cmd;
	return 0;
}

long weir_divert_control_after(struct weir_divert *hold, long ret)
{
	int open;

	if (hold->file == F_DUPFD || hold->file == F_DUPFD_CLOEXEC) {
		weir_divert_dup_after(hold, ret);
	} else if (hold->file == F_SETFL && ret >= 0) {
		open = weir_fdtable_peek(hold->fds[0]);
		if (open >= 0 && !weir_lazyopen_is(open))
			set_flags((uint32_t)open, (uint32_t)hold->fds[1]);
	}
	return ret;
}

int weir_divert_lock_before(struct weir_divert *hold, int fd)
{
	weir_fdpark_is_wanted = true;
	if (weir_link_is_deferring)
		weir_deferral_materialise_own();
	weir_openfiles_leave_offset(fd);
	return 0;
}

long weir_divert_lock_after(struct weir_divert *hold, long ret)
{
	return ret;
}
