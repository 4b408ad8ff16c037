/* SPDX-License-Identifier: BSD-3-Clause */
/* Accepts connections to a socket of the service, hears and answers them. */
#include "serve/daemon/connection.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_FDS 4 /* that are sent */
#define SURPLUS	 16 /* that may come at once; others the kernel throws away */

int weir_connection_begin(struct weir_connections *connections, uint32_t count)
{
	connections->all = calloc(count, sizeof(*connections->all));
	connections->count = connections->all ? count : 0;
	for (uint32_t i = 0; i < connections->count; i++)
		connections->all[i].fd = -1;
	return connections->all ? 0 : -ENOMEM;
}

void weir_connection_end(struct weir_connection *connection)
{
	close(connection->fd);
	if (connection->passed >= 0)
		close(connection->passed);
	connection->fd = -1;
	connection->passed = -1;
}

int weir_connection_leave(struct weir_connection *connection)
{
	int fd = connection->fd;

	if (connection->passed >= 0)
		close(connection->passed);
	connection->fd = -1;
	connection->passed = -1;
	return fd;
}

static struct weir_connection *
find_free_connection(struct weir_connections *connections)
{
	struct weir_connection *oldest = &connections->all[0];

	for (uint32_t i = 0; i < connections->count; i++) {
		struct weir_connection *connection = &connections->all[i];

		if (connection->fd < 0)
			return connection;
		if (connection->since < oldest->since)
			oldest = connection;
	}
	weir_connection_end(oldest);
	return oldest;
}

static bool is_our_user(int fd, pid_t *ret_pid)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    peer.uid != geteuid())
		return false;
	*ret_pid = peer.pid;
	return true;
}

struct weir_connection *
weir_connection_accept(struct weir_connections *connections, int listening)
{
	struct weir_connection *connection;
	pid_t pid;
	int fd;

	for (;;) {
		fd = accept4(listening, NULL, NULL,
			     SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (fd < 0)
			return NULL;
		if (is_our_user(fd, &pid))
			break;
		close(fd);
	}
	connection = find_free_connection(connections);
	connection->fd = fd;
	connection->passed = -1;
	connection->pid = pid;
	connection->since = weir_clock_ns(CLOCK_MONOTONIC);
	connection->used = 0;
	return connection;
}

/* The first is kept, all others are closed. */
static void take_fds(struct weir_connection *connection, struct msghdr *message)
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
			if (connection->passed < 0)
				connection->passed = fd;
			else
				close(fd);
		}
	}
}

static ssize_t receive(struct weir_connection *connection)
{
	union {
		char room[CMSG_SPACE(SURPLUS * sizeof(int))];
		struct cmsghdr aligned;
	} passing;
	struct iovec part = {
		connection->bytes + connection->used,
		sizeof(connection->bytes) - connection->used,
	};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = passing.room,
		.msg_controllen = sizeof(passing.room),
	};
	ssize_t got;

	do
		got = recvmsg(connection->fd, &message,
			      MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got >= 0)
		take_fds(connection, &message);
	return got < 0 ? -errno : got;
}

int weir_connection_hear(struct weir_connection *connection)
{
	struct weir_frame head;
	ssize_t got = receive(connection);
	int err;

	if (got == -EAGAIN)
		return 0;
	if (got <= 0)
		return got ? (int)got : -ECONNRESET;
	connection->used += (uint32_t)got;
	err = weir_frame_check(connection->bytes, connection->used, &head);
	if (err == -EAGAIN)
		return 0;
	if (err == -EPROTONOSUPPORT) /* to be told so */
		return 1;
	if (err || head.length > sizeof(connection->bytes) - sizeof(head))
		return err ? err : -EMSGSIZE;
	if (connection->used > sizeof(head) + head.length)
		return -EPROTO;
	return connection->used == sizeof(head) + head.length;
}

bool weir_connection_expire(struct weir_connections *connections)
{
	uint64_t now = weir_clock_ns(CLOCK_MONOTONIC);
	bool others = false;

	for (uint32_t i = 0; i < connections->count; i++) {
		struct weir_connection *connection = &connections->all[i];

		if (connection->fd < 0)
			continue;
		if (now - connection->since > WEIR_CONNECTION_TIME)
			weir_connection_end(connection);
		else
			others = true;
	}
	return others;
}

static void put_fds(struct msghdr *message, void *room,
		    const struct weir_connection_answer *answer)
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
static ssize_t send_some(const struct weir_connection_answer *answer,
			 size_t done)
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

static int wait_for_room(const struct weir_connection_answer *answer)
{
	struct pollfd slow = {answer->fd, POLLOUT, 0};

	return poll(&slow, 1, answer->wait_ms) > 0 ? 0 : -ETIMEDOUT;
}

int weir_connection_say(const struct weir_connection_answer *answer)
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
