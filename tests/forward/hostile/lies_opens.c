/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors that are none, not what is said of them, or too many. */
#include "liar.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

void lie_no_file(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	struct weir_op_open_out out;

	talk_attach(&talk);
	for (int i = 0; i < 50; i++)
		if (talk_open(&talk, -1, O_RDWR, &out) >= 0)
			talk_fail("nothing was opened", i);
	talk_still_answers(&talk);
}

static void must_refuse(struct talk *talk, const char *what, int fd,
			uint32_t flags)
{
	struct weir_op_open_out out;

	if (fd < 0)
		talk_fail(what, errno);
	if (talk_open(talk, fd, flags, &out) >= 0) {
		printf("%s\n", what);
		talk_fail("was opened", fd);
	}
	close(fd);
}

void lie_no_regular_file(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	int pair[2], ends[2];

	talk_attach(&talk);
	if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		talk_fail("no pipes", errno);
	must_refuse(&talk, "a directory",
		    open(liar->folder, O_RDONLY | O_DIRECTORY), O_RDWR);
	must_refuse(&talk, "an end of a pipe", ends[1], O_WRONLY);
	must_refuse(&talk, "another end of a pipe", ends[0], O_RDONLY);
	must_refuse(&talk, "a socket", pair[0], O_RDWR);
	must_refuse(&talk, "an event", eventfd(0, 0), O_RDWR);
	must_refuse(&talk, "a device", open("/dev/zero", O_RDWR), O_RDWR);
	must_refuse(&talk, "a path", open(liar->victim, O_PATH), O_RDWR);
	must_refuse(&talk, "an appender", open(liar->victim, O_RDWR | O_APPEND),
		    O_RDWR);
	talk_still_answers(&talk);
	close(ends[0]);
	close(pair[1]);
}

/* A descriptor that may read, of which it is said that it may write. */
void lie_rights(struct liar *liar)
{
	struct talk talk = { .place = liar->place };

	talk_attach(&talk);
	must_refuse(&talk, "a reader as writer", open(liar->victim, O_RDONLY),
		    O_RDWR);
	must_refuse(&talk, "a reader as one who only writes",
		    open(liar->victim, O_RDONLY), O_WRONLY);
	talk_still_answers(&talk);
}

void lie_tokens(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	struct weir_op_attach_out own;

	talk_attach(&talk);
	own = talk.welcome;
	for (uint32_t i = 0; i < 200; i++) {
		talk.welcome = own;
		if (i % 4 == 0)
			talk.welcome.token0 ^= UINT64_C(1) << i % 64;
		if (i % 4 == 1)
			talk.welcome.token1 ^= UINT64_C(1) << i % 64;
		if (i % 4 == 2)
			talk.welcome.session = i;
		if (i % 4 == 3)
			talk.welcome.session = (uint32_t)talk_random();
		if (talk.welcome.session == own.session && i % 4 > 1)
			continue;
		must_refuse(&talk, "by another session",
			    open(liar->victim, O_RDONLY), O_RDONLY);
	}
	talk.welcome = own;
	talk_still_answers(&talk);
}

void lie_many_descriptors(struct liar *liar)
{
	unsigned char room[WEIR_FRAME_SMALL];
	struct weir_op_attach_in in = { WEIR_OP_INTERFACE, (uint32_t)getpid() };
	int64_t size = weir_frame_put_attach(room, sizeof(room), &in, NULL, 0);
	int fds[TALK_FDS];

	for (int i = 0; i < TALK_FDS; i++)
		fds[i] = i % 3;
	for (int i = 0; i < 100; i++) {
		talk_ask(liar->place, room, (size_t)size, fds, 1);
		talk_ask(liar->place, room, (size_t)size, fds, TALK_FDS);
		talk_ask(liar->place, room, 10, fds, TALK_FDS);
	}
}

/* More than a session can have; all but those too many are opened. */
void lie_many_opens(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	struct weir_op_open_out out;
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/often", liar->folder);
	talk_attach(&talk);
	fd = talk_own_file(&talk, path, &out);
	for (uint32_t i = 1; i < WEIR_SESSION_OPENS + 50; i++) {
		int ret = talk_open(&talk, fd, O_RDWR, &out);

		if (ret != (i < WEIR_SESSION_OPENS ? 0 : -EMFILE))
			talk_fail("an open was answered wrongly", ret);
	}
	talk_still_answers(&talk);
}

static void attach_and_die(struct liar *liar)
{
	struct talk talk = { .place = liar->place };

	if (!talk_try_attach(&talk))
		talk_ring(&talk);
	raise(SIGKILL);
}

void lie_many_sessions(struct liar *liar)
{
	for (int i = 0; i < 150; i++) {
		pid_t child = fork();

		if (!child)
			attach_and_die(liar);
		if (i % 10 == 9)
			while (waitpid(-1, NULL, 0) > 0)
				;
	}
}

/* As many as there is room for; who has one already keeps it. */
void lie_too_many_sessions(struct liar *liar)
{
	struct talk own = { .place = liar->place };
	int attached = 0, ret = 0;

	talk_attach(&own);
	while (!ret && attached < 2000) {
		struct talk talk = { .place = liar->place };

		ret = talk_try_attach(&talk);
		if (!ret) {
			close(talk.memory);
			close(talk.board_fd);
			attached++;
		}
	}
	printf("%d sessions, then %d\n", attached, ret);
	fflush(stdout);
	if (!ret)
		talk_fail("there is no end of sessions", attached);
	talk_still_answers(&own);
	_exit(0); /* nobody else gets one now */
}

static _Atomic int is_over;

/* Takes the place of whatever was closed just now. */
static void *open_others(void *arg)
{
	struct talk *talk = arg;
	int fd = memfd_create("other", MFD_CLOEXEC);
	struct weir_op_open_out out;

	while (!is_over)
		talk_open(talk, fd, O_RDONLY, &out);
	close(fd);
	return NULL;
}

/* The victim's file, closed more often than it was opened. */
void lie_closes(struct liar *liar)
{
	struct talk talk = { .place = liar->place };
	struct weir_op_open_out out;
	int fd = open(liar->victim, O_RDWR | O_CLOEXEC);
	pthread_t thread;

	talk_attach(&talk);
	if (pthread_create(&thread, NULL, open_others, &talk))
		talk_fail("no thread", 0);
	for (int i = 0; i < 400; i++)
		if (!talk_open(&talk, fd, O_RDWR, &out))
			talk_close_often(&talk, out.open);
	is_over = 1;
	pthread_join(thread, NULL);
	close(fd);
	talk_still_answers(&talk);
}
