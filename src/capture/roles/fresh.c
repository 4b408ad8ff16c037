/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows descriptors that are made by calls that are not recorded. */
#include "capture/roles/fresh.h"

#include "capture/memory/thread.h"
#include "capture/process/filter.h"
#include "gate/fdmap.h"

#include <string.h>
#include <sys/socket.h>

static void forget_descriptor(int fd)
{
	if (!weir_thread_self->vforks && weir_fdmap_get(fd))
		weir_fdmap_drop(fd);
}

/*
 * Something that has no name in a file system, called as the kernel would
 * call it. If such are not to be recorded, nobody need find out later.
 */
static void take_note(int fd, const char *kind)
{
	uint32_t why = weir_filter_target(kind);

	forget_descriptor(fd);
	if (why == WEIR_FILTER_SHOWN || fd < 0 || weir_thread_self->vforks ||
	    !weir_fdtable_holds(fd))
		return;
	weir_fdmap_set(
		fd, weir_fdmap_hide(weir_fdmap_entry(weir_fdmap_next_handle(),
						     0, false),
				    why));
}

void weir_fresh(const struct weir_args *args)
{
	forget_descriptor((int)args->ret);
}

void weir_fresh_socket(const struct weir_args *args)
{
	take_note((int)args->ret, "socket:[]");
}

void weir_fresh_event(const struct weir_args *args)
{
	take_note((int)args->ret, "anon_inode:[]");
}

void weir_fresh_pair(const struct weir_args *args)
{
	if (args->ret == -1)
		return;
	take_note(args->pair[0], "socket:[]");
	take_note(args->pair[1], "socket:[]");
}

/* Another process may have sent descriptors along. */
static void forget_sent(struct msghdr *message)
{
	struct cmsghdr *head;
	size_t bytes;
	int fd;

	for (head = CMSG_FIRSTHDR(message); head;
	     head = CMSG_NXTHDR(message, head)) {
		if (head->cmsg_level != SOL_SOCKET ||
		    head->cmsg_type != SCM_RIGHTS)
			continue;
		bytes = head->cmsg_len - CMSG_LEN(0);
		for (size_t at = 0; at + sizeof(fd) <= bytes;
		     at += sizeof(fd)) {
			memcpy(&fd, CMSG_DATA(head) + at, sizeof(fd));
			forget_descriptor(fd);
		}
	}
}

void weir_fresh_message(const struct weir_args *args)
{
	if (args->ret != -1)
		forget_sent((struct msghdr *)args->object);
}

void weir_fresh_messages(const struct weir_args *args)
{
	struct mmsghdr *messages = (struct mmsghdr *)args->object;

	for (int64_t i = 0; i < args->ret; i++)
		forget_sent(&messages[i].msg_hdr);
}

void weir_fresh_terminal(const struct weir_args *args)
{
	const int *slave = args->object;

	if (args->ret == -1 || (!slave && !args->ret))
		return; /* forkpty's child starts anew */
	forget_descriptor(*args->pair);
	if (slave)
		forget_descriptor(*slave);
}

void weir_fresh_login(const struct weir_args *args)
{
	for (int fd = 0; fd < 3; fd++)
		forget_descriptor(fd);
	forget_descriptor(args->fd);
}
