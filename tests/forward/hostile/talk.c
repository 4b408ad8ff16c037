/* SPDX-License-Identifier: BSD-3-Clause */
/* Sockets of the service: connect, say, hear, attach, open. */
#include "talk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

void talk_fail(const char *what, long value)
{
	printf("FAULT: %s (%ld)\n", what, value);
	fflush(stdout);
	_exit(1);
}

int talk_connect(const char *place, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval patience = { .tv_sec = 10 };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		talk_fail("no socket", errno);
	snprintf(address.sun_path, sizeof(address.sun_path), "%.90s/%.10s",
		 place, name);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
		talk_fail("nobody listens", errno);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	return fd;
}

ssize_t talk_send(int fd, const void *bytes, size_t size, const int *fds,
		  int count)
{
	static _Alignas(struct cmsghdr) char
		room[CMSG_SPACE(TALK_FDS * sizeof(int))];
	struct iovec part = { (void *)bytes, size };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (count > 0) {
		struct cmsghdr *head = (struct cmsghdr *)room;

		message.msg_control = room;
		message.msg_controllen =
			CMSG_SPACE((size_t)count * sizeof(int));
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN((size_t)count * sizeof(int));
		memcpy(CMSG_DATA(head), fds, (size_t)count * sizeof(int));
	}
	return sendmsg(fd, &message, MSG_NOSIGNAL);
}

static void keep_two(struct msghdr *message, int *fds, int *have)
{
	struct cmsghdr *head = CMSG_FIRSTHDR(message);

	for (; head; head = CMSG_NXTHDR(message, head)) {
		int *came = (int *)CMSG_DATA(head);
		size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		for (size_t i = 0; i < count; i++) {
			if (*have < 2)
				fds[(*have)++] = came[i];
			else
				close(came[i]);
		}
	}
}

static bool is_whole(const void *bytes, size_t size)
{
	struct weir_frame head;

	return !weir_frame_check(bytes, size, &head) &&
	       size >= sizeof(head) + head.length;
}

ssize_t talk_hear(int fd, void *room, size_t size, int *fds)
{
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))];
	size_t have = 0;
	int had = 0;

	while (have < size && !is_whole(room, have)) {
		struct iovec part = { (char *)room + have, size - have };
		struct msghdr message = { .msg_iov = &part,
					  .msg_iovlen = 1,
					  .msg_control = control,
					  .msg_controllen = sizeof(control) };
		ssize_t got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);

		if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			talk_fail("no answer within 10 s", 0);
		if (got <= 0)
			break;
		keep_two(&message, fds, &had);
		have += (size_t)got;
	}
	return (ssize_t)have;
}

int talk_ask(const char *place, const void *frame, size_t size, const int *fds,
	     int count)
{
	static unsigned char room[WEIR_FRAME_MOST];
	int came[2] = { -1, -1 };
	int fd = talk_connect(place, "door");
	struct weir_frame head;
	ssize_t got;

	talk_send(fd, frame, size, fds, count);
	shutdown(fd, SHUT_WR);
	got = talk_hear(fd, room, sizeof(room), came);
	close(fd);
	for (int i = 0; i < 2; i++)
		if (came[i] >= 0)
			close(came[i]);
	if (got < (ssize_t)sizeof(head))
		return 1;
	memcpy(&head, room, sizeof(head));
	return head.status;
}

static void map_all(struct talk *talk)
{
	uint32_t chunks = talk->welcome.chunks;
	unsigned char *at;

	talk->bytes = weir_session_bytes(chunks);
	at = mmap(NULL, talk->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		  talk->memory, 0);
	if (at == MAP_FAILED)
		talk_fail("the memory cannot be mapped", errno);
	talk->page = (struct weir_session_page *)at;
	talk->opens = (void *)(at + weir_session_opens_at());
	talk->slots = (void *)(at + weir_session_slots_at());
	talk->heads = (void *)(at + weir_session_heads_at());
	talk->lanes = at + weir_session_lanes_at(chunks);
	talk->chunks = at + weir_session_chunks_at(chunks);
	talk->board = mmap(NULL, sizeof(*talk->board), PROT_READ, MAP_SHARED,
			   talk->board_fd, 0);
	if (talk->board == MAP_FAILED)
		talk_fail("the board cannot be mapped", errno);
}

/* Whoever maps the presence file is there. */
static void be_present(struct talk *talk, const char *name)
{
	int fd;

	snprintf(talk->presence, sizeof(talk->presence), "%s/%s", talk->place,
		 name);
	fd = open(talk->presence, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) ==
			      MAP_FAILED)
		talk_fail("no presence", errno);
	close(fd);
}

int talk_try_attach(struct talk *talk)
{
	struct weir_op_attach_in in = { WEIR_OP_INTERFACE, (uint32_t)getpid() };
	unsigned char room[WEIR_FRAME_SMALL];
	int fds[2] = { -1, -1 }, ret;
	const void *name;
	int fd = talk_connect(talk->place, "door");
	int64_t size = weir_frame_put_attach(room, sizeof(room), &in, NULL, 0);
	ssize_t got;

	talk_send(fd, room, (size_t)size, NULL, 0);
	got = talk_hear(fd, room, sizeof(room), fds);
	close(fd);
	ret = weir_frame_result_attach(room, (size_t)got, &talk->welcome, &name,
				       NULL);
	if (ret)
		return ret;
	if (fds[0] < 0 || fds[1] < 0)
		talk_fail("no descriptors came", 0);
	talk->memory = fds[0];
	talk->board_fd = fds[1];
	map_all(talk);
	be_present(talk, name);
	return 0;
}

void talk_attach(struct talk *talk)
{
	int ret = talk_try_attach(talk);

	if (ret)
		talk_fail("could not attach", ret);
}

void talk_leave(struct talk *talk)
{
	munmap(talk->page, talk->bytes);
	munmap((void *)talk->board, sizeof(*talk->board));
	close(talk->memory);
	close(talk->board_fd);
}

int talk_open(struct talk *talk, int fd, uint32_t flags,
	      struct weir_op_open_out *ret_out)
{
	struct weir_op_open_in in = {
		.session = talk->welcome.session,
		.token0 = talk->welcome.token0,
		.token1 = talk->welcome.token1,
		.flags = flags,
	};
	unsigned char room[WEIR_FRAME_SMALL];
	int fds[2] = { -1, -1 };
	int socket = talk_connect(talk->place, "door");
	int64_t size = weir_frame_put_open(room, sizeof(room), &in, "/a/file",
					   7);
	ssize_t got;

	talk_send(socket, room, (size_t)size, &fd, fd >= 0);
	got = talk_hear(socket, room, sizeof(room), fds);
	close(socket);
	return weir_frame_result_open(room, (size_t)got, ret_out, NULL, NULL);
}

int talk_own_file(struct talk *talk, const char *path,
		  struct weir_op_open_out *ret_out)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int ret;

	if (fd < 0)
		talk_fail("no file", errno);
	ret = talk_open(talk, fd, O_RDWR, ret_out);
	if (ret)
		talk_fail("an honest open was refused", ret);
	return fd;
}

void talk_close_often(struct talk *talk, uint32_t open)
{
	unsigned char args[WEIR_SESSION_ARGS] = { 0 };
	struct weir_op_close_in in = { .open = open };

	memcpy(args, &in, sizeof(in));
	for (uint32_t slot = 0; slot < WEIR_SESSION_SLOTS; slot++)
		talk_put(talk, slot, WEIR_OP_CLOSE, args, 0);
	talk_ring(talk);
	for (uint32_t slot = 0; slot < WEIR_SESSION_SLOTS; slot++)
		talk_wait(talk, slot);
}
