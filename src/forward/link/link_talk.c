/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends one question to a socket of the service, and takes its answer. */
#include "forward/link/link_talk.h"

#include "base/append.h"
#include "base/sys.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#define PATIENCE 2 /* seconds, of each call on the socket */

union control {
	struct cmsghdr head;
	char room[CMSG_SPACE(sizeof(int) * WEIR_LINK_FDS)];
};

static long connect_to(const struct weir_link_talk *talk, int sock)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	long ret;

	if (strlen(talk->directory) + strlen(talk->name) + 2 >
	    sizeof(address.sun_path))
		return -ENAMETOOLONG;
	weir_append_path(address.sun_path, talk->directory, talk->name);
	do
		ret = weir_sys3(SYS_connect, sock, &address, sizeof(address));
	while (ret == -EINTR);
	return ret;
}

static long make_socket(void)
{
	struct timeval time = {.tv_sec = PATIENCE};
	long sock =
		weir_sys3(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (sock < 0)
		return sock;
	weir_sys6(SYS_setsockopt, sock, SOL_SOCKET, SO_SNDTIMEO, &time,
		  sizeof(time), 0);
	weir_sys6(SYS_setsockopt, sock, SOL_SOCKET, SO_RCVTIMEO, &time,
		  sizeof(time), 0);
	return sock;
}

/* The descriptor goes with the first byte. */
static void attach_fd(struct msghdr *message, union control *control, int fd)
{
	memset(control, 0, sizeof(*control));
	control->head = (struct cmsghdr){
		.cmsg_len = CMSG_LEN(sizeof(fd)),
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	};
	memcpy(CMSG_DATA(&control->head), &fd, sizeof(fd));
	message->msg_control = control;
	message->msg_controllen = CMSG_SPACE(sizeof(fd));
}

static int send_call(int sock, const struct weir_link_talk *talk)
{
	union control control;
	size_t sent = 0;
	long ret;

	while (sent < talk->call_size) {
		struct iovec part = {(char *)talk->call + sent,
				     talk->call_size - sent};
		struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

		if (!sent && talk->fd >= 0)
			attach_fd(&message, &control, talk->fd);
		ret = weir_sys3(SYS_sendmsg, sock, &message, MSG_NOSIGNAL);
		if (ret < 0 && ret != -EINTR)
			return ret == -EPIPE ? -ECONNRESET : (int)ret;
		if (ret > 0)
			sent += (size_t)ret;
	}
	return 0;
}

/* More than we asked for are closed: they would stay with the program. */
static void keep_fds(struct weir_link_talk *talk, struct msghdr *message)
{
	struct cmsghdr *head = CMSG_FIRSTHDR(message);
	size_t count;
	int fd, place = 0;

	if (!head || head->cmsg_level != SOL_SOCKET ||
	    head->cmsg_type != SCM_RIGHTS)
		return;
	count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(fd);
	while (place < WEIR_LINK_FDS && talk->fds[place] >= 0)
		place++;
	for (size_t i = 0; i < count; i++) {
		memcpy(&fd, CMSG_DATA(head) + i * sizeof(fd), sizeof(fd));
		if (place < WEIR_LINK_FDS)
			talk->fds[place++] = fd;
		else
			weir_sys1(SYS_close, fd);
	}
}

static int receive_some(int sock, struct weir_link_talk *talk)
{
	union control control;
	struct iovec part = {talk->answer + talk->answer_size,
			     sizeof(talk->answer) - talk->answer_size};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	long got = weir_sys3(SYS_recvmsg, sock, &message, MSG_CMSG_CLOEXEC);

	if (got == -EINTR)
		return 0;
	if (got <= 0)
		return got ? (int)got : -ECONNRESET;
	talk->answer_size += (size_t)got;
	keep_fds(talk, &message);
	return 0;
}

static int receive_answer(int sock, struct weir_link_talk *talk)
{
	struct weir_frame frame;
	int ret;

	for (;;) {
		ret = weir_frame_check(talk->answer, talk->answer_size, &frame);
		if (!ret && frame.length + sizeof(frame) > sizeof(talk->answer))
			return -EMSGSIZE;
		if (!ret && talk->answer_size >= frame.length + sizeof(frame))
			return 0;
		if (ret && ret != -EAGAIN)
			return ret;
		ret = receive_some(sock, talk);
		if (ret)
			return ret;
	}
}

/* Who listens hangs up on another user, however often that one comes. */
static bool is_of_another(int sock)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return !weir_sys6(SYS_getsockopt, sock, SOL_SOCKET, SO_PEERCRED, &peer,
			  &size, 0) &&
	       peer.uid != (uid_t)weir_sys0(SYS_geteuid);
}

int weir_link_talk(struct weir_link_talk *talk)
{
	long sock = make_socket();
	int ret;

	talk->answer_size = 0;
	memset(talk->fds, -1, sizeof(talk->fds));
	if (sock < 0)
		return (int)sock;
	ret = (int)connect_to(talk, (int)sock);
	if (!ret)
		ret = send_call((int)sock, talk);
	if (!ret)
		ret = receive_answer((int)sock, talk);
	if (ret == -ECONNRESET && is_of_another((int)sock))
		ret = -EACCES;
	weir_sys1(SYS_close, sock);
	if (ret)
		weir_link_talk_end(talk);
	return ret;
}

void weir_link_talk_end(struct weir_link_talk *talk)
{
	for (int i = 0; i < WEIR_LINK_FDS; i++) {
		if (talk->fds[i] >= 0)
			weir_sys1(SYS_close, talk->fds[i]);
		talk->fds[i] = -1;
	}
}
