/* SPDX-License-Identifier: BSD-3-Clause */
/* forward: open files that descriptors of this process stand for. */
#include "forward/openfiles.h"

#include "base/sys.h"
#include "forward/deferral.h"
#include "forward/direct.h"
#include "forward/lazyopen.h"
#include "spec/forward_stubs.h"

#include <fcntl.h>
#include <unistd.h>

#define PATIENCE 10000 /* times to look whether another fork is made */

/* Whose descriptors the table tells of; 0: nobody has asked yet. */
static _Atomic long process;
static __thread int vforks;

static void share_all(void)
{
	int open, fd = -1;

	weir_direct_forked();
	while ((fd = weir_openfiles_next((unsigned)fd + 1, UINT32_MAX)) >= 0) {
		open = weir_fdtable_peek(fd);
		if (weir_lazyopen_is(open))
			weir_lazyopen_forked(fd);
		else if (open >= 0)
			weir_opens_share(weir_openfiles_at((uint32_t)open));
	}
}

/*
 * What a fork has counted for the child, open + 1. Other threads open and close
 * while it is made: what the child finds in its table may be something else.
 * One thread at a time, but never for long: a signal handler may fork too.
 */
static _Atomic uint16_t counted[WEIR_FDTABLE_COUNT];
static _Atomic bool forks;

static void enter_fork(void)
{
	bool other = false;

	for (int i = 0; i < PATIENCE; i++, other = false) {
		if (atomic_compare_exchange_strong(&forks, &other, true))
			return;
		weir_sys0(SYS_sched_yield);
	}
}

void weir_openfiles_fork(void)
{
	int open, fd = -1;

	enter_fork();
	while ((fd = weir_openfiles_next((unsigned)fd + 1, UINT32_MAX)) >= 0) {
		open = weir_lazyopen_share(fd);
		if (open < 0)
			continue;
		if (!weir_lazyopen_is(open)) /* it is noted by the child */
			weir_opens_share(weir_openfiles_at((uint32_t)open));
		atomic_store(&counted[fd], (uint16_t)(open + 1));
	}
}

void weir_openfiles_fork_made(void)
{
	for (unsigned fd = 0; fd < weir_fdtable_top(); fd++)
		atomic_store_explicit(&counted[fd], 0, memory_order_relaxed);
	atomic_store(&forks, false);
}

/* No thread of ours knows of what another one had just opened. */
static void keep_counted(int fd, int had)
{
	if (weir_fdtable_peek(fd) == had) {
		if (weir_lazyopen_is(had))
			weir_lazyopen_forked(fd);
		return;
	}
	weir_fdtable_set(fd, -1);
	if (had >= 0 && !weir_lazyopen_is(had))
		weir_openfiles_drop((uint32_t)had);
}

void weir_openfiles_forked(void)
{
	atomic_store(&process, weir_sys0(SYS_getpid));
	vforks = 0;
	weir_direct_forked();
	for (unsigned fd = 0; fd < weir_fdtable_top(); fd++)
		keep_counted((int)fd, (int)atomic_load(&counted[fd]) - 1);
	weir_openfiles_fork_made();
}

void weir_openfiles_vfork(int change)
{
	vforks += change;
}

/*
 * A child that was made without libc's fork has descriptors that nobody has
 * counted. Better late than never.
 */
bool weir_openfiles_is_ours(void)
{
	long self = weir_sys0(SYS_getpid), known = atomic_load(&process);

	if (vforks)
		return false;
	if (self == known)
		return true;
	if (atomic_compare_exchange_strong(&process, &known, self) && known)
		share_all();
	return true;
}

int weir_openfiles_next(unsigned first, unsigned end)
{
	unsigned top = weir_fdtable_top();

	for (unsigned fd = first; fd < end && fd < top; fd++)
		if (weir_fdtable_peek((int)fd) >= 0)
			return (int)fd;
	return -1;
}

/* The kernel goes on where the service was. */
static void place_offset(uint32_t open, int fd)
{
	struct weir_session_open *at = weir_openfiles_at(open);

	weir_sys3(SYS_lseek, fd, atomic_load(&at->offset), SEEK_SET);
	atomic_fetch_or(&at->flags, WEIR_OPENFILES_KERNELS);
}

static void hand_over(uint32_t open, int fd)
{
	bool taken = weir_opens_lock(weir_openfiles_at(open));

	if (!(weir_openfiles_flags(open) & WEIR_OPENFILES_KERNELS))
		place_offset(open, fd);
	if (taken)
		weir_opens_unlock(weir_openfiles_at(open));
}

bool weir_openfiles_is_kernels(uint32_t open, int fd)
{
	if (weir_openfiles_flags(open) & WEIR_OPENFILES_KERNELS)
		return true;
	if (!(weir_link_flags(weir_openfiles_at(open)->file) &
	      WEIR_FILE_BYPASS))
		return false;
	hand_over(open, fd);
	return true;
}

int weir_openfiles_commit(uint32_t open, uint32_t how)
{
	struct weir_session_open *at = weir_openfiles_at(open);
	struct weir_op_commit_in in = {
		.file = at->file, .turn = at->turn, .how = how};

	atomic_store(&at->written, 0);
	return weir_stub_commit(&in, NULL);
}

int weir_openfiles_release(uint32_t open, int fd)
{
	struct weir_session_open *at = weir_openfiles_at(open);
	struct weir_op_bypass_in in;
	int ret = weir_deferral_materialise(fd);

	if (ret || weir_openfiles_flags(open) & WEIR_OPENFILES_KERNELS)
		return ret;
	in = (struct weir_op_bypass_in){.file = at->file, .turn = at->turn};
	ret = weir_stub_bypass(&in, NULL);
	if (!ret)
		hand_over(open, fd);
	else /* who gets it goes on at the right place at least */
		weir_sys3(SYS_lseek, fd, atomic_load(&at->offset), SEEK_SET);
	return ret;
}

/* Its offset is not ours to set: others may be using it. */
int weir_openfiles_leave(uint32_t open)
{
	struct weir_session_open *at = weir_openfiles_at(open);
	struct weir_op_bypass_in in = {.file = at->file, .turn = at->turn};

	atomic_fetch_or(&at->flags, WEIR_OPENFILES_KERNELS);
	return weir_stub_bypass(&in, NULL);
}

int weir_openfiles_release_fd(int fd)
{
	int open = weir_fdtable_peek(fd);

	if (weir_lazyopen_is(open))
		return weir_lazyopen_release(fd);
	return open < 0 ? 0 : weir_openfiles_release((uint32_t)open, fd);
}

int weir_openfiles_drop(uint32_t open)
{
	struct weir_op_close_in in = {.open = open};
	struct weir_session_open *at;

	if (weir_lazyopen_is((int)open)) {
		weir_lazyopen_uncount((int)open);
		return 0;
	}
	at = weir_openfiles_at(open);
	if (weir_opens_drop(at))
		return weir_stub_close(&in, NULL);
	if (atomic_load(&at->written))
		return weir_openfiles_commit(open, WEIR_OPENFILES_TELL);
	return 0;
}

bool weir_openfiles_closes_on_exec(int fd)
{
	long flags = weir_sys2(SYS_fcntl, fd, F_GETFD);

	return flags < 0 || flags & FD_CLOEXEC;
}

/*
 * What others still have open is not stored for one that ends: it could not be
 * told how that went, and they may be in the midst of writing it.
 */
static void drop_at_end(uint32_t open)
{
	struct weir_op_close_in in = {.open = open};

	if (weir_opens_drop(weir_openfiles_at(open)))
		weir_stub_close(&in, NULL);
}

void weir_openfiles_leave_offset(int fd)
{
	int open = weir_fdtable_peek(fd);
	struct weir_session_open *at;
	bool taken;

	if (open < 0 || weir_lazyopen_is(open))
		return;
	at = weir_openfiles_at((uint32_t)open);
	taken = weir_opens_lock(at);
	if (!(weir_openfiles_flags((uint32_t)open) & WEIR_OPENFILES_KERNELS))
		weir_sys3(SYS_lseek, fd, atomic_load(&at->offset), SEEK_SET);
	if (taken)
		weir_opens_unlock(at);
}

static void leave_at_end(uint32_t open, int fd)
{
	if (atomic_load(&weir_openfiles_at(open)->users) == 1)
		hand_over(open, fd);
	else
		weir_openfiles_leave_offset(fd);
}

/*
 * Other threads may run still, and libc's streams: what they write now goes to
 * the kernel, at the right place. What is the kernel's stays noted as long as
 * the process lives.
 */
void weir_openfiles_end(void)
{
	int open, fd = -1;

	while ((fd = weir_openfiles_next((unsigned)fd + 1, UINT32_MAX)) >= 0) {
		open = weir_fdtable_peek(fd);
		if (open < 0 || weir_lazyopen_is_kernels(open))
			continue;
		if (weir_lazyopen_is(open)) {
			weir_lazyopen_uncount(open);
		} else {
			leave_at_end((uint32_t)open, fd);
			drop_at_end((uint32_t)open);
		}
		weir_fdtable_set(fd, -1);
	}
}
