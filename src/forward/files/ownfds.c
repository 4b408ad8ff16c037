/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows descriptors through fork, vfork and the end of a process. */
#include "forward/files/ownfds.h"

#include "base/sys.h"
#include "forward/files/adopt.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/opens.h"
#include "forward/link/direct.h"
#include "gate/fdtable.h"
#include "spec/forward_stubs.h"

#define PATIENCE 10000 /* times to look whether another fork is made */

/* Whose descriptors the table tells of; 0: nobody has asked yet. */
static _Atomic long process;
static __thread int vforks;

/* What it is noted as is its parent's; from here on it is the kernel's. */
static void take_from_parent(int fd)
{
	weir_fdtable_set(fd, -1);
	weir_adopt_for_kernel(fd);
}

static void share_all(void)
{
	int open, fd = -1;

	weir_direct_forked();
	while ((fd = weir_fdtable_next((unsigned)fd + 1, UINT32_MAX)) >= 0) {
		open = weir_fdtable_peek(fd);
		if (weir_lazyopen_is(open))
			take_from_parent(fd);
		else if (open >= 0)
			weir_opens_share(weir_openfiles_at((uint32_t)open));
	}
}

/*
 * A fork counts what the child will have, and notes it in the row (`counted`):
 * other threads open and close while it is made, and what the child finds in
 * its table may be something else. One thread forks at a time, but nobody waits
 * for long: a signal handler may fork too.
 */
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

/*
 * What has been counted may by then be closed, and another file have its place
 * in the session: it is the number's still, or is given back.
 */
static int count_for_child(int fd)
{
	int open = weir_lazyopen_share(fd), before = -1;

	while (open >= 0 && !weir_lazyopen_is(open) && open != before) {
		if (weir_opens_share_living(
			    weir_openfiles_at((uint32_t)open))) {
			if (weir_fdtable_peek(fd) == open)
				return open;
			drop_at_end((uint32_t)open);
		}
		before = open;
		open = weir_lazyopen_share(fd);
	}
	return open == before ? -1 : open; /* lazy: it is noted by the child */
}

void weir_ownfds_fork(void)
{
	int open, fd = -1;

	enter_fork();
	while ((fd = weir_fdtable_next((unsigned)fd + 1, UINT32_MAX)) >= 0) {
		open = count_for_child(fd);
		if (open >= 0)
			atomic_store(&weir_fdtable[fd].counted,
				     (uint16_t)(open + 1));
	}
}

void weir_ownfds_fork_made(void)
{
	for (unsigned fd = 0; fd < weir_fdtable_top(); fd++)
		atomic_store_explicit(&weir_fdtable[fd].counted, 0,
				      memory_order_relaxed);
	atomic_store(&forks, false);
}

/* No thread of ours knows of what another one had just opened. */
static void keep_counted(int fd, int had)
{
	if (weir_fdtable_peek(fd) == had) {
		if (weir_lazyopen_is(had))
			take_from_parent(fd);
		return;
	}
	weir_fdtable_set(fd, -1);
	if (had >= 0 && !weir_lazyopen_is(had))
		weir_openfiles_drop((uint32_t)had);
}

void weir_ownfds_forked(void)
{
	atomic_store(&process, weir_sys0(SYS_getpid));
	vforks = 0;
	weir_direct_forked();
	for (unsigned fd = 0; fd < weir_fdtable_top(); fd++)
		keep_counted((int)fd,
			     (int)atomic_load(&weir_fdtable[fd].counted) - 1);
	weir_ownfds_fork_made();
}

void weir_ownfds_vfork(int change)
{
	vforks += change;
}

/*
 * A child that was made without libc's fork has descriptors that nobody has
 * counted. Better late than never.
 */
bool weir_ownfds_are_ours(void)
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

static void leave_at_end(uint32_t open, int fd)
{
	if (atomic_load(&weir_openfiles_at(open)->users) == 1)
		weir_openfiles_to_kernel(open, fd);
	else
		weir_openfiles_leave_offset(fd);
}

/*
 * Other threads may run still, and libc's streams: what they write now goes to
 * the kernel, at the right place. What is the kernel's stays noted as long as
 * the process lives.
 */
void weir_ownfds_end(void)
{
	int open, fd = -1;

	while ((fd = weir_fdtable_next((unsigned)fd + 1, UINT32_MAX)) >= 0) {
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
