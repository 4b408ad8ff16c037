/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a process apart do work that may go wrong. */
#include "verify/apart.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 60000 /* ms without a word */

/* A message: what it is, then the bytes of an answer. */
enum { BEAT, ANSWER };

struct message {
	uint64_t kind;
	char bytes[WEIR_APART_BYTES];
};

static void serve(struct weir_apart *apart)
{
	char question[WEIR_APART_BYTES];
	struct message message;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (recv(apart->fd, question, sizeof(question), 0) ==
	       (ssize_t)sizeof(question)) {
		memset(&message, 0, sizeof(message));
		apart->work(apart->context, question, message.bytes);
		message.kind = ANSWER;
		send(apart->fd, &message, sizeof(message), MSG_NOSIGNAL);
	}
	_exit(0);
}

/* Its last words would be a library's about the file: nobody asked. */
static int start_process(struct weir_apart *apart)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	apart->pid = fork();
	apart->fd = ends[apart->pid != 0];
	close(ends[apart->pid == 0]);
	if (!apart->pid)
		serve(apart);
	if (apart->pid > 0)
		return 0;
	apart->pid = 0;
	close(apart->fd);
	return -EAGAIN;
}

void weir_apart_fini(struct weir_apart *apart)
{
	if (!apart->pid)
		return;
	close(apart->fd);
	kill(apart->pid, SIGKILL);
	while (waitpid(apart->pid, NULL, 0) < 0 && errno == EINTR)
		;
	apart->pid = 0;
}

static int wait_answer(struct weir_apart *apart, struct message *message)
{
	struct pollfd from = { .fd = apart->fd, .events = POLLIN };
	ssize_t got;
	int ready;

	do {
		ready = poll(&from, 1, PATIENCE);
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return ready ? -errno : -ETIME;
		got = recv(apart->fd, message, sizeof(*message), 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got != (ssize_t)sizeof(*message))
			return -EPIPE;
	} while (ready < 0 || message->kind != ANSWER);
	return 0;
}

int weir_apart_ask(struct weir_apart *apart, const void *question,
		   void *answer)
{
	struct message message = { .kind = BEAT };
	int err = apart->pid ? 0 : start_process(apart);

	if (err)
		return err;
	if (send(apart->fd, question, WEIR_APART_BYTES, MSG_NOSIGNAL) < 0)
		err = -EPIPE;
	if (!err)
		err = wait_answer(apart, &message);
	if (err)
		weir_apart_fini(apart);
	else
		memcpy(answer, message.bytes, WEIR_APART_BYTES);
	return err;
}

void weir_apart_beat(struct weir_apart *apart)
{
	static time_t last;
	struct message message = { .kind = BEAT };
	time_t now = time(NULL);

	if (now == last)
		return;
	last = now;
	send(apart->fd, &message, sizeof(message), MSG_NOSIGNAL);
}
