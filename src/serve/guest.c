/* SPDX-License-Identifier: BSD-3-Clause */
/* Who has connected to a socket of the service. */
#include "serve/guest.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_FDS 4 /* that are sent */
#define SURPLUS	 16 /* that may come at once; others the kernel throws away */

int weir_guest_begin(struct weir_guests *guests, uint32_t count)
{
	guests->all = calloc(count, sizeof(*guests->all));
	guests->count = guests->all ? count : 0;
	for (uint32_t i = 0; i < guests->count; i++)
		guests->all[i].fd = -1;
	return guests->all ? 0 : -ENOMEM;
}

void weir_guest_end(struct weir_guest *guest)
{
	close(guest->fd);
	if (guest->passed >= 0)
		close(guest->passed);
	guest->fd = -1;
	guest->passed = -1;
}

int weir_guest_leave(struct weir_guest *guest)
{
	int fd = guest->fd;

	if (guest->passed >= 0)
		close(guest->passed);
	guest->fd = -1;
	guest->passed = -1;
	return fd;
}

static struct weir_guest *find_place(struct weir_guests *guests)
{
	struct weir_guest *oldest = &guests->all[0];

	for (uint32_t i = 0; i < guests->count; i++) {
		struct weir_guest *guest = &guests->all[i];

		if (guest->fd < 0)
			return guest;
		if (guest->since < oldest->since)
			oldest = guest;
	}
	weir_guest_end(oldest);
	return oldest;
}

static bool is_ours(int fd, pid_t *ret_pid)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    peer.uid != geteuid())
		return false;
	*ret_pid = peer.pid;
	return true;
}

struct weir_guest *weir_guest_accept(struct weir_guests *guests, int listening)
{
	struct weir_guest *guest;
	pid_t pid;
	int fd;

	for (;;) {
		fd = accept4(listening, NULL, NULL,
			     SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (fd < 0)
			return NULL;
		if (is_ours(fd, &pid))
			break;
		close(fd);
	}
	guest = find_place(guests);
	guest->fd = fd;
	guest->passed = -1;
	guest->pid = pid;
	guest->since = weir_clock_ns(CLOCK_MONOTONIC);
	guest->used = 0;
	return guest;
}

/* The first is kept, all others are closed. */
static void take_fds(struct weir_guest *guest, struct msghdr *message)
{
	struct cmsghdr *head = CMSG_FIRSTHDR(message);

	for (; head; head = CMSG_NXTHDR(message, head)) {
		size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		int fd;

		if (head->cmsg_level != SOL_SOCKET ||
		    head->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count; i++) {
			memcpy(&fd, CMSG_DATA(head) + i * sizeof(fd),
			       sizeof(fd));
			if (guest->passed < 0)
				guest->passed = fd;
			else
				close(fd);
		}
	}
}

static ssize_t receive(struct weir_guest *guest)
{
	union {
		char room[CMSG_SPACE(SURPLUS * sizeof(int))];
		struct cmsghdr aligned;
	} passing;
	struct iovec part = {
		guest->bytes + guest->used,
		sizeof(guest->bytes) - guest->used,
	};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = passing.room,
		.msg_controllen = sizeof(passing.room),
	};
	ssize_t got;

	do
		got = recvmsg(guest->fd, &message,
			      MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got >= 0)
		take_fds(guest, &message);
	return got < 0 ? -errno : got;
}

int weir_guest_hear(struct weir_guest *guest)
{
	struct weir_frame head;
	ssize_t got = receive(guest);
	int err;

	if (got == -EAGAIN)
		return 0;
	if (got <= 0)
		return got ? (int)got : -ECONNRESET;
	guest->used += (uint32_t)got;
	err = weir_frame_check(guest->bytes, guest->used, &head);
	if (err == -EAGAIN)
		return 0;
	if (err == -EPROTONOSUPPORT) /* to be told so */
		return 1;
	if (err || head.length > sizeof(guest->bytes) - sizeof(head))
		return err ? err : -EMSGSIZE;
	if (guest->used > sizeof(head) + head.length)
		return -EPROTO;
	return guest->used == sizeof(head) + head.length;
}

bool weir_guest_expire(struct weir_guests *guests)
{
	uint64_t now = weir_clock_ns(CLOCK_MONOTONIC);
	bool others = false;

	for (uint32_t i = 0; i < guests->count; i++) {
		struct weir_guest *guest = &guests->all[i];

		if (guest->fd < 0)
			continue;
		if (now - guest->since > WEIR_GUEST_TIME)
			weir_guest_end(guest);
		else
			others = true;
	}
	return others;
}

static void put_fds(struct msghdr *message, void *room,
		    const struct weir_guest_answer *answer)
{
	size_t size = answer->fd_count * sizeof(int);
	struct cmsghdr *head;

	message->msg_control = room;
	message->msg_controllen = CMSG_SPACE(size);
	memset(room, 0, CMSG_SPACE(size));
	head = CMSG_FIRSTHDR(message);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(size);
	memcpy(CMSG_DATA(head), answer->fds, size);
}

/* Descriptors go with the first byte. */
static ssize_t send_some(const struct weir_guest_answer *answer, size_t done)
{
	union {
		char room[CMSG_SPACE(MOST_FDS * sizeof(int))];
		struct cmsghdr aligned;
	} passing;
	struct iovec part = {
		(unsigned char *)answer->bytes + done,
		answer->size - done,
	};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t put;

	if (!done && answer->fd_count)
		put_fds(&message, passing.room, answer);
	do
		put = sendmsg(answer->fd, &message,
			      MSG_NOSIGNAL | MSG_DONTWAIT);
	while (put < 0 && errno == EINTR);
	return put < 0 ? -errno : put;
}

static int wait_for_room(const struct weir_guest_answer *answer)
{
	struct pollfd slow = {answer->fd, POLLOUT, 0};

	return poll(&slow, 1, answer->wait_ms) > 0 ? 0 : -ETIMEDOUT;
}

int weir_guest_say(const struct weir_guest_answer *answer)
{
	size_t done = 0;
	ssize_t put;
	int err = 0;

	if (answer->fd_count > MOST_FDS)
		return -EINVAL;
	while (!err && done < answer->size) {
		put = send_some(answer, done);
		if (put >= 0)
			done += (size_t)put;
		else
			err = put == -EAGAIN ? wait_for_room(answer) : (int)put;
	}
	return err;
}
