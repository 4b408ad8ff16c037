/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Follows descriptors that others get: programs that are started, and who
 * receives them in a message. What they get goes straight to the kernel from
 * then on.
 */
#include "base/sys.h"
#include "forward/deferred/deferral.h"
#include "forward/deferred/release.h"
#include "forward/divert/divert.h"
#include "forward/files/adopt.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/opens.h"
#include "forward/files/ownfds.h"
#include "forward/transfer/touch.h"
#include "gate/fdtable.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What its actions do with descriptors and names is libc's secret. */
int weir_divert_spawn_before(struct weir_divert *hold, const void *actions)
{
	if (actions && weir_link_is_deferring)
		weir_deferral_materialise_all();
	weir_release_inherited(actions);
	return 0;
}

long weir_divert_spawn_after(struct weir_divert *hold, long ret)
{
	return ret;
}

/*
 * A new program knows nothing of our open files: what it inherits it finds at
 * its start, and hands over as its own (weir_adopt_inherited). Here they are
 * let go of, as if they were closed, and taken back if there is no new program.
 */
enum { KEPT, SHARED, ALONE };

static uint32_t count_own(int open)
{
	uint32_t count = 0;
	int fd = -1;

	while ((fd = weir_fdtable_next((unsigned)fd + 1, UINT32_MAX)) >= 0)
		count += weir_fdtable_peek(fd) == open;
	return count;
}

/* What is noted, and inherited, stays noted of the new program. */
static void judge_late(int fd)
{
	if (weir_release_is_exempt(fd))
		atomic_store(&weir_fdtable[fd].leaving, ALONE);
}

/* Other processes that have it too use it on. */
static void judge_all(void)
{
	int open, fd = -1;

	while ((fd = weir_fdtable_next((unsigned)fd + 1, UINT32_MAX)) >= 0) {
		open = weir_fdtable_peek(fd);
		if (open < 0)
			continue;
		if (weir_lazyopen_is(open))
			judge_late(fd);
		else if (atomic_load(
				 &weir_openfiles_at((uint32_t)open)->users) >
			 count_own(open))
			atomic_store(&weir_fdtable[fd].leaving, SHARED);
		else
			atomic_store(&weir_fdtable[fd].leaving, ALONE);
	}
}

static void let_go_of_open(int fd, int how)
{
	int open = weir_fdtable_peek(fd);
	struct weir_session_open *at;

	if (weir_lazyopen_is(open)) {
		weir_fdtable_set(fd, -1);
		weir_lazyopen_uncount(open);
		return;
	}
	at = weir_openfiles_at((uint32_t)open);
	if (how == SHARED) {
		if (atomic_load(&at->written))
			weir_openfiles_commit((uint32_t)open,
					      WEIR_OPENFILES_STORE);
		weir_opens_drop(at);
		return;
	}
	if (!weir_openfiles_is_kernels((uint32_t)open, fd))
		weir_sys3(SYS_lseek, fd, atomic_load(&at->offset), SEEK_SET);
	weir_fdtable_set(fd, -1);
	weir_lazyopen_drop(open);
}

static void let_all_go(void)
{
	int how, fd = -1;

	judge_all();
	while ((fd = weir_fdtable_next((unsigned)fd + 1, UINT32_MAX)) >= 0) {
		how = atomic_load(&weir_fdtable[fd].leaving);
		if (how == ALONE) /* should there be no new program */
			weir_deferral_materialise(fd);
		if (how != KEPT && weir_fdtable_peek(fd) >= 0)
			let_go_of_open(fd, how);
	}
}

static void take_all_back(void)
{
	for (unsigned fd = 0; fd < weir_fdtable_top(); fd++) {
		int how = atomic_exchange(&weir_fdtable[fd].leaving, KEPT);
		int open = weir_fdtable_peek((int)fd);

		if (how == SHARED && open >= 0)
			weir_opens_share(weir_openfiles_at((uint32_t)open));
		else if (how == ALONE)
			weir_adopt_for_kernel((int)fd);
	}
}

int weir_divert_exec_before(struct weir_divert *hold)
{
	weir_release_inherited(false);
	hold->word = weir_ownfds_are_ours();
	if (hold->word)
		let_all_go();
	return 0;
}

/* It has failed. */
long weir_divert_exec_after(struct weir_divert *hold, long ret)
{
	if (hold->word)
		take_all_back();
	return ret;
}

int weir_divert_limit_before(struct weir_divert *hold)
{
	return 0;
}

long weir_divert_limit_after(struct weir_divert *hold, long ret)
{
	if (!ret && weir_adopt_is_limited())
		weir_release_inherited(true);
	return ret;
}

/* What is done with each descriptor of a message. */
typedef int visit(int fd);

/* Addresses in it nobody has checked. */
static void visit_fds(const struct msghdr *message, visit *each)
{
	const unsigned char *last;
	struct msghdr copy;
	struct cmsghdr *head;

	if (!weir_touch_can_read(message, sizeof(*message)))
		return;
	copy = *message;
	if (!copy.msg_control ||
	    !weir_touch_can_read(copy.msg_control, copy.msg_controllen))
		return;
	last = (unsigned char *)copy.msg_control + copy.msg_controllen;
	for (head = CMSG_FIRSTHDR(&copy); head;
	     head = CMSG_NXTHDR(&copy, head)) {
		const unsigned char *at = CMSG_DATA(head), *end = last;
		int fd;

		if (head->cmsg_level != SOL_SOCKET ||
		    head->cmsg_type != SCM_RIGHTS)
			continue;
		if (head->cmsg_len < (size_t)(last - (unsigned char *)head))
			end = (unsigned char *)head + head->cmsg_len;
		for (; at + sizeof(fd) <= end; at += sizeof(fd)) {
			memcpy(&fd, at, sizeof(fd));
			each(fd);
		}
	}
}

int weir_divert_send_before(struct weir_divert *hold, const void *messages,
			    int count)
{
	const struct mmsghdr *message = messages;

	if (weir_fdtable_next(0, UINT32_MAX) < 0)
		return 0;
	if (count == 1) {
		visit_fds(messages, weir_release_fd);
		return 0;
	}
	for (int i = 0; i < count; i++)
		visit_fds(&message[i].msg_hdr, weir_release_fd);
	return 0;
}

long weir_divert_send_after(struct weir_divert *hold, long ret)
{
	return ret;
}

int weir_divert_received_before(struct weir_divert *hold, const void *messages,
				unsigned count)
{
	hold->room = (void *)(uintptr_t)messages;
	hold->number = count != 0;
	return 0;
}

/*
 * Who has received one may keep it when the sender has closed its own: others
 * must know that the file is the kernel's.
 */
long weir_divert_received_after(struct weir_divert *hold, long ret)
{
	const struct mmsghdr *message = hold->room;

	if (ret <= 0 || !weir_ownfds_are_ours())
		return ret;
	if (!hold->number) {
		visit_fds(hold->room, weir_adopt_for_kernel);
		return ret;
	}
	for (long i = 0; i < ret; i++)
		visit_fds(&message[i].msg_hdr, weir_adopt_for_kernel);
	return ret;
}
