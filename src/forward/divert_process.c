/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptors that others get: programs that are started, and who receives
 * them in a message. What they get goes straight to the kernel from then on.
 */
#include "forward/adopt.h"
#include "forward/divert.h"
#include "forward/held.h"
#include "forward/touch.h"

#include <string.h>
#include <sys/socket.h>

static void release_inherited(bool all)
{
	int fd = -1;

	while ((fd = weir_held_next((unsigned)fd + 1, UINT32_MAX)) >= 0)
		if (all || !weir_held_closes_on_exec(fd))
			weir_held_release_fd(fd);
}

/* What its actions do with descriptors is libc's secret. */
int weir_divert_spawn_before(struct weir_divert *hold, const void *actions)
{
	release_inherited(actions);
	return 0;
}

long weir_divert_spawn_after(struct weir_divert *hold, long ret)
{
	return ret;
}

/* Those that exec will have closed, and that others have too. */
static _Atomic unsigned char let_go[WEIR_FDTABLE_COUNT];

/* The others are closed by it, so what was written is stored. */
static void store_closed(void)
{
	int open, fd = -1;

	while ((fd = weir_held_next((unsigned)fd + 1, UINT32_MAX)) >= 0) {
		open = weir_fdtable_get(fd);
		if (open < 0 || !weir_held_closes_on_exec(fd))
			continue;
		if (atomic_load(&weir_held_at((uint32_t)open)->written))
			weir_held_commit((uint32_t)open, WEIR_HELD_STORE);
		if (atomic_load(&weir_held_at((uint32_t)open)->users) > 1) {
			weir_opens_drop(weir_held_at((uint32_t)open));
			atomic_store(&let_go[fd], 1);
		}
	}
}

static void take_closed_back(void)
{
	int open, fd = -1;

	while ((fd = weir_held_next((unsigned)fd + 1, UINT32_MAX)) >= 0) {
		open = weir_fdtable_get(fd);
		if (fd < (int)WEIR_FDTABLE_COUNT &&
		    atomic_exchange(&let_go[fd], 0) && open >= 0)
			weir_opens_share(weir_held_at((uint32_t)open));
	}
}

int weir_divert_exec_before(struct weir_divert *hold)
{
	release_inherited(false);
	hold->word = weir_held_is_ours();
	if (hold->word)
		store_closed();
	return 0;
}

/* It has failed. */
long weir_divert_exec_after(struct weir_divert *hold, long ret)
{
	if (hold->word)
		take_closed_back();
	return ret;
}

int weir_divert_limit_before(struct weir_divert *hold)
{
	return 0;
}

long weir_divert_limit_after(struct weir_divert *hold, long ret)
{
	if (!ret && weir_adopt_is_limited())
		release_inherited(true);
	return ret;
}

/* Those of a message; addresses in it nobody has checked. */
static void release_sent(const struct msghdr *message)
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
			weir_held_release_fd(fd);
		}
	}
}

int weir_divert_send_before(struct weir_divert *hold, const void *messages,
			    int count)
{
	const struct mmsghdr *message = messages;

	if (weir_held_next(0, UINT32_MAX) < 0)
		return 0;
	if (count == 1) {
		release_sent(messages);
		return 0;
	}
	for (int i = 0; i < count; i++)
		release_sent(&message[i].msg_hdr);
	return 0;
}

long weir_divert_send_after(struct weir_divert *hold, long ret)
{
	return ret;
}
