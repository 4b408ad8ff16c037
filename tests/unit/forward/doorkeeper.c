/* SPDX-License-Identifier: BSD-3-Clause */
/* A service with sockets that answers as told, or as it should not. */
#include "doorkeeper.h"

#include "spec/forward.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

struct told *told;
char folder[64];
static enum fault fault;
static int listening[2];
static pthread_t thread[2];

static int make_memory(uint64_t bytes, bool seal, void **ret_at)
{
	int fd = memfd_create("test", MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	*ret_at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(*ret_at != MAP_FAILED);
	if (seal)
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
	return fd;
}

static int make_session(void)
{
	uint64_t bytes = weir_session_bytes(CHUNKS);
	struct weir_session_page *page;
	int fd = make_memory(fault == TOO_SHORT ? bytes - 4096 : bytes,
			     fault != NOT_SEALED, (void **)&page);

	page->magic = fault == WRONG_MAGIC ? 1 : WEIR_SESSION_MAGIC;
	page->interface = fault == WRONG_INTERFACE ? 1 : WEIR_OP_INTERFACE;
	page->session = fault == WRONG_SESSION ? 4 : 3;
	page->chunks = CHUNKS;
	page->token[0] = 11;
	page->token[1] = 12;
	return fd;
}

static int make_board(void)
{
	struct weir_board *board;
	int fd = make_memory(sizeof(*board), true, (void **)&board);

	board->magic = WEIR_BOARD_MAGIC;
	board->interface = WEIR_OP_INTERFACE;
	return fd;
}

static void send_frame(int sock, void *frame, int64_t size, const int *fds,
		       size_t count)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(2 * sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(count * sizeof(int)),
				.cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS } };
	struct iovec part = { frame, (size_t)size };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (count) {
		memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(count * sizeof(int));
	}
	assert_int_equal(sendmsg(sock, &message, MSG_NOSIGNAL), size);
}

static void answer_attach(int sock)
{
	struct weir_op_attach_out out = { .session = 3,
					  .chunks = CHUNKS,
					  .token0 = 11,
					  .token1 = 12 };
	bool is_absent = fault == NO_PRESENCE ||
			 (fault == GIVES_UP_FIRST &&
			  atomic_load(&told->calls) == 1);
	const char *presence = is_absent ? "nobody" : "presence";
	int fds[] = { make_session(), make_board() };
	unsigned char frame[512];
	int64_t size = weir_frame_answer_attach(frame, sizeof(frame), &out,
						presence,
						(uint32_t)strlen(presence));

	if (fault == STRANGER)
		frame[8] ^= 1;
	if (fault == DAWDLES)
		usleep(300000);
	send_frame(sock, frame, size, fds, fault == NO_BOARD ? 1 : 2);
	close(fds[0]);
	close(fds[1]);
}

/* What was handed over is told to the test. */
static void look_at_file(const struct weir_op_open_in *in, const char *path,
			 int fd)
{
	struct stat one, other;

	atomic_store(&told->is_own, !fstat(fd, &one) && !stat(path, &other) &&
					    one.st_ino == other.st_ino &&
					    in->token0 == 11 &&
					    in->token1 == 12 &&
					    in->session == 3);
	atomic_store(&told->mode, fcntl(fd, F_GETFL));
	snprintf(told->path, sizeof(told->path), "%s", path);
	atomic_fetch_add(&told->opened, 1);
	close(fd);
}

static void answer_open(int sock, const void *bytes, size_t size, int fd)
{
	struct weir_op_open_out out = { .open = OPEN, .file = 9, .turn = 2 };
	struct weir_op_open_in in;
	const void *path;
	unsigned char frame[512];

	assert_int_equal(weir_frame_get_open(bytes, size, &in, &path, NULL),
			 0);
	look_at_file(&in, path, fd);
	send_frame(sock, frame,
		   weir_frame_answer_open(frame, sizeof(frame), &out, NULL, 0),
		   NULL, 0);
}

static size_t hear(int sock, unsigned char *bytes, size_t room, int *ret_fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = { bytes, room };
	struct msghdr message = { .msg_iov = &part,
				  .msg_iovlen = 1,
				  .msg_control = &control,
				  .msg_controllen = sizeof(control) };
	ssize_t got = recvmsg(sock, &message, 0);

	*ret_fd = -1;
	if (got > 0 && CMSG_FIRSTHDR(&message))
		memcpy(ret_fd, CMSG_DATA(&control.head), sizeof(*ret_fd));
	return got > 0 ? (size_t)got : 0;
}

static void refuse(int sock, uint32_t op, int status)
{
	unsigned char frame[64];

	send_frame(sock, frame,
		   weir_frame_refuse(frame, sizeof(frame), op, status), NULL,
		   0);
}

static void answer(int sock)
{
	unsigned char bytes[8192];
	struct weir_frame frame;
	int fd, first = !atomic_fetch_add(&told->calls, 1);
	size_t size = hear(sock, bytes, sizeof(bytes), &fd);

	if (weir_frame_check(bytes, size, &frame) ||
	    (fault == DIES_FIRST && first))
		return;
	if (frame.op == WEIR_OP_COMPLAIN)
		atomic_fetch_add(&told->complaints, 1);
	if (fault == REFUSES)
		refuse(sock, frame.op, -EPERM);
	else if (frame.op == WEIR_OP_ATTACH)
		answer_attach(sock);
	else if (frame.op == WEIR_OP_OPEN)
		answer_open(sock, bytes, size, fd);
	else
		refuse(sock, frame.op, 0);
}

static void *serve(void *socket)
{
	int sock;

	while ((sock = accept(*(int *)socket, NULL, NULL)) >= 0) {
		answer(sock);
		close(sock);
	}
	return NULL;
}

static int listen_at(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", folder,
		 name);
	assert_int_equal(bind(sock, (struct sockaddr *)&address,
			      sizeof(address)),
			 0);
	assert_int_equal(listen(sock, 5), 0);
	return sock;
}

static void make_file(const char *name)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, 4096), 0);
	close(fd);
}

void begin_service(enum fault how)
{
	static const char *const names[] = { "door", "above" };

	fault = how;
	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	strcpy(folder, "/tmp/weir-link-XXXXXX");
	assert_non_null(mkdtemp(folder));
	make_file("presence");
	make_file("file");
	for (int i = 0; i < 2; i++) {
		listening[i] = listen_at(names[i]);
		pthread_create(&thread[i], NULL, serve, &listening[i]);
	}
}

void stop_service(void)
{
	for (int i = 0; i < 2; i++) {
		if (listening[i] < 0)
			continue;
		shutdown(listening[i], SHUT_RDWR);
		pthread_join(thread[i], NULL);
		close(listening[i]);
		listening[i] = -1;
	}
}

void end_service(void)
{
	static const char *const names[] = { "door", "above", "presence",
					     "file" };
	char path[128];

	stop_service();
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	assert_int_equal(rmdir(folder), 0);
}

void forget_service(void)
{
	close(listening[0]);
	close(listening[1]);
}
