/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps opened files from the service until they are used. */
#include "forward/files/lazyopen.h"

#include "base/sys.h"
#include "forward/files/handover.h"
#include "forward/files/openfiles.h"
#include "forward/files/opens.h"
#include "forward/files/servedfiles.h"
#include "forward/link/direct.h"
#include "forward/link/link.h"
#include "forward/link/self.h"
#include "gate/next.h"

#include <fcntl.h>
#include <linux/kcmp.h>
#include <unistd.h>

#define READS 3 /* by the kernel: who reads more wants it prefetched */

#define SLOT  (WEIR_DIRECT_SLOTS - 1)

_Static_assert(WEIR_DIRECT_SLOTS <= WEIR_FDTABLE_KERNELS,
	       "the number of a slot fits beside the kind");

static uint32_t slot_of(int entry)
{
	return (uint32_t)(entry + 1) & SLOT;
}

static int waiting_in(int slot)
{
	return (int)(WEIR_FDTABLE_LAZY | (uint32_t)slot) - 1;
}

static int kernels_in(uint32_t slot)
{
	return (int)(WEIR_FDTABLE_LAZY | WEIR_FDTABLE_KERNELS | slot) - 1;
}

static uint64_t count_of(int entry)
{
	return weir_lazyopen_is_kernels(entry) ? WEIR_DIRECT_KERNEL
					       : WEIR_DIRECT_OPEN;
}

void weir_lazyopen_count(int entry)
{
	weir_direct_change(slot_of(entry), count_of(entry));
}

void weir_lazyopen_uncount(int entry)
{
	weir_direct_change(slot_of(entry), -count_of(entry));
}

int weir_lazyopen_drop(int entry)
{
	if (!weir_lazyopen_is(entry))
		return weir_openfiles_drop((uint32_t)entry);
	weir_lazyopen_uncount(entry);
	return 0;
}

/* What the board says of it; false: it is not there. */
static bool find_served(int entry, struct weir_servedfile *ret_served)
{
	struct weir_direct_slot *slot = weir_direct_at(slot_of(entry));

	return weir_servedfiles_find_inode(atomic_load(&slot->dev),
					   atomic_load(&slot->ino), ret_served);
}

/*
 * It is noted as the kernel's. Where the service has it too, that is to be told
 * there; what comes to be there later the daemon finds noted.
 */
static int tell_kernels(int entry)
{
	struct weir_servedfile served;

	if (!find_served(entry, &served) || served.flags & WEIR_FILE_BYPASS)
		return 0;
	return weir_servedfiles_bypass(&served);
}

/*
 * What is being handed over is known by its number alone. A number that was
 * closed and opened anew meanwhile would be taken for the file before.
 */
static void await_handover(void)
{
	while (atomic_load_explicit(&weir_self_page->handing_over,
				    memory_order_acquire))
		weir_sys0(SYS_sched_yield);
}

bool weir_lazyopen_begin(int fd, const struct stat *about, bool for_kernel,
			 int *ret_err)
{
	uint64_t count = for_kernel ? WEIR_DIRECT_KERNEL : WEIR_DIRECT_OPEN;
	int slot, entry;

	if (!weir_fdtable_holds(fd))
		return false;
	slot = weir_direct_note(about->st_dev, about->st_ino, count);
	if (slot < 0)
		return false;
	entry = for_kernel ? kernels_in((uint32_t)slot) : waiting_in(slot);
	atomic_store_explicit(&weir_fdtable[fd].reads, 0, memory_order_relaxed);
	await_handover();
	weir_fdtable_set(fd, entry);
	*ret_err = for_kernel ? tell_kernels(entry) : 0;
	return true;
}

/* No signal handler moves the kernel's offset while it is taken over. */
static uint64_t block_signals(void)
{
	uint64_t all = UINT64_MAX, old = 0;

	weir_sys4(SYS_rt_sigprocmask, 0, &all, &old, sizeof(all));
	return old;
}

static void unblock_signals(uint64_t old)
{
	weir_sys4(SYS_rt_sigprocmask, 2, &old, 0, sizeof(old));
}

/* It goes on where the kernel is. */
static void take_offset(int fd, uint32_t open)
{
	long at = weir_sys3(SYS_lseek, fd, 0, SEEK_CUR);

	if (at > 0)
		atomic_store(&weir_openfiles_at(open)->offset, (uint64_t)at);
}

/* Its name was removed, and the service did not hear of it. */
static void tell_unlinked(int entry, int fd)
{
	struct weir_servedfile served;
	struct stat about;

	if (!weir_sys2(SYS_fstat, fd, &about) && !about.st_nlink &&
	    find_served(entry, &served))
		weir_servedfiles_unlinked(&served);
}

/* Both numbers are of one open file. */
static bool is_same_open(int fd, int other)
{
	long self = weir_sys0(SYS_getpid);

	return fd == other ||
	       !weir_sys6(SYS_kcmp, self, self, KCMP_FILE, fd, other, 0);
}

/* A number that another thread closes meanwhile leaves one too many. */
static void put_under(int fd, int entry, uint32_t open)
{
	weir_opens_share(weir_openfiles_at(open));
	if (weir_fdtable_change(fd, entry, (int)open))
		weir_lazyopen_uncount(entry);
	else
		weir_openfiles_drop(open);
}

/* Each number that it has, `fd` and what was made by dup(). */
static void put_under_all(int fd, int entry, uint32_t open)
{
	int other = -1;

	while ((other = weir_fdtable_next((unsigned)other + 1, UINT32_MAX)) >=
	       0)
		if (weir_fdtable_peek(other) == entry &&
		    is_same_open(fd, other))
			put_under(other, entry, open);
}

static void hand_over_lazy(int fd, int entry)
{
	uint32_t open;
	int err;

	if (weir_handover_fd(fd, &open)) {
		weir_lazyopen_release(fd, &err);
		return;
	}
	take_offset(fd, open);
	tell_unlinked(entry, fd);
	put_under_all(fd, entry, open);
	weir_openfiles_drop(open);
}

/* One thread at a time: of two numbers two may be doing it. */
static void enter_handover(void)
{
	while (atomic_exchange(&weir_self_page->handing_over, 1))
		weir_sys0(SYS_sched_yield);
}

int weir_lazyopen_take(int fd)
{
	uint64_t signals;
	int entry;

	if (weir_lazyopen_is_kernels(weir_fdtable_peek(fd)))
		return -1;
	signals = block_signals();
	enter_handover();
	entry = weir_fdtable_peek(fd);
	if (weir_lazyopen_is(entry) && !weir_lazyopen_is_kernels(entry))
		hand_over_lazy(fd, entry);
	atomic_store(&weir_self_page->handing_over, 0);
	unblock_signals(signals);
	entry = weir_fdtable_peek(fd);
	return weir_lazyopen_is(entry) ? -1 : entry;
}

/*
 * Newer C libraries than the oldest that we start under tell it. Where the
 * program has a copy of the variable, theirs says that there may be threads.
 */
static bool has_one_thread(void)
{
	static void *_Atomic looked_up;
	static char several;
	void *found = atomic_load_explicit(&looked_up, memory_order_relaxed);

	if (!found) {
		found = &several;
		weir_next_variable("__libc_single_threaded", "GLIBC_2.32",
				   &found);
		atomic_store_explicit(&looked_up, found, memory_order_relaxed);
	}
	return *(volatile char *)found;
}

/* Of two threads one could move the kernel's offset when it is given away. */
int weir_lazyopen_look(int fd)
{
	int entry = weir_fdtable_peek(fd);
	struct weir_servedfile served;

	if (!weir_lazyopen_is(entry))
		return entry;
	if (weir_lazyopen_is_kernels(entry))
		return -1;
	if (!has_one_thread() ||
	    atomic_fetch_add_explicit(&weir_fdtable[fd].reads, 1,
				      memory_order_relaxed) >= READS ||
	    (find_served(entry, &served) && served.flags & WEIR_FILE_WRITTEN &&
	     !(served.flags & WEIR_FILE_BYPASS)))
		return weir_lazyopen_get(fd);
	return -1;
}

/* Noted first: who gets it from the service meanwhile finds that. */
bool weir_lazyopen_release(int fd, int *ret_err)
{
	int entry = weir_fdtable_peek(fd), kernels;

	if (!weir_lazyopen_is(entry))
		return false;
	*ret_err = 0;
	kernels = kernels_in(slot_of(entry));
	if (entry == kernels)
		return true;
	if (!weir_fdtable_change(fd, entry, kernels))
		return false;
	weir_direct_change(slot_of(entry),
			   WEIR_DIRECT_KERNEL - WEIR_DIRECT_OPEN);
	*ret_err = tell_kernels(kernels);
	return true;
}

/* What is_same_open() needs is not everywhere allowed. */
static bool can_compare(int fd)
{
	long self = weir_sys0(SYS_getpid);

	return !weir_sys6(SYS_kcmp, self, self, KCMP_FILE, fd, fd, 0);
}

/* Another thread could hand it over while its second number is being made. */
int weir_lazyopen_dup(int fd)
{
	int entry = weir_fdtable_peek(fd);

	if (!weir_lazyopen_is(entry) || weir_lazyopen_is_kernels(entry) ||
	    (has_one_thread() && can_compare(fd)))
		return entry;
	return weir_lazyopen_share(fd);
}

int weir_lazyopen_share(int fd)
{
	int entry = weir_fdtable_peek(fd), err;

	if (!weir_lazyopen_is(entry) || weir_lazyopen_is_kernels(entry))
		return entry;
	if (weir_link_is_attached())
		weir_lazyopen_get(fd);
	else
		weir_lazyopen_release(fd, &err);
	return weir_fdtable_peek(fd);
}
