/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Carries what supervisor and daemon say to each other, on a pair of sockets.
 */
#include "serve/state/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

union passing {
	char room[CMSG_SPACE(sizeof(int))];
	struct cmsghdr aligned;
};

int weir_channel_make(int ret_ends[2])
{
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ret_ends))
		return -errno;
	return 0;
}

static void put_fd(struct msghdr *message, union passing *passing, int fd)
{
	struct cmsghdr *head;

	memset(passing, 0, sizeof(*passing));
	message->msg_control = passing->room;
	message->msg_controllen = sizeof(passing->room);
	head = CMSG_FIRSTHDR(message);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
}

int weir_channel_send(int end, const struct weir_channel_note *note, int fd)
{
	struct iovec part = {(void *)note, sizeof(*note)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	union passing passing;
	ssize_t done;

	if (fd >= 0)
		put_fd(&message, &passing, fd);
	do
		done = sendmsg(end, &message, MSG_NOSIGNAL);
	while (done < 0 && errno == EINTR);
	return done < 0 ? -errno : 0;
}

static int take_fd(struct msghdr *message)
{
	struct cmsghdr *head = CMSG_FIRSTHDR(message);
	int fd;

	if (!head || head->cmsg_level != SOL_SOCKET ||
	    head->cmsg_type != SCM_RIGHTS ||
	    head->cmsg_len != CMSG_LEN(sizeof(fd)))
		return -1;
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

int weir_channel_receive(int end, struct weir_channel_note *ret_note,
			 int *ret_fd)
{
	struct iovec part = {ret_note, sizeof(*ret_note)};
	union passing passing;
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = passing.room,
		.msg_controllen = sizeof(passing.room),
	};
	ssize_t got;

	do
		got = recvmsg(end, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got < 0 && errno == EAGAIN)
		return -EAGAIN;
	if (got != (ssize_t)sizeof(*ret_note))
		return -EPIPE;
	*ret_fd = take_fd(&message);
	return 0;
}
