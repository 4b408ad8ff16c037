/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets this machine's browsers talk to a desk. */
#include "desk/server.h"

#include "desk/talk.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_TALKS 32
#define BACKLOG	   64
#define MS	   UINT64_C(1000000)

/* One thread does all: each answer is short, and the reader is one. */
struct loop {
	struct weir_server *server;
	struct weir_desk *desk;
	struct weir_talk *talks; /* so many as may be */
};

int weir_server_open(struct weir_server *server, uint16_t port)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons(port),
	};
	socklen_t len = sizeof(at);
	int err, yes = 1;

	server->socket = socket(AF_INET,
				SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (server->socket < 0)
		return -errno;
	/* a port that was given may be used again at once */
	if (setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &yes,
		       sizeof(yes)) < 0 ||
	    bind(server->socket, (struct sockaddr *)&at, sizeof(at)) < 0 ||
	    listen(server->socket, BACKLOG) < 0 ||
	    getsockname(server->socket, (struct sockaddr *)&at, &len) < 0) {
		err = -errno;
		close(server->socket);
		return err;
	}
	server->port = ntohs(at.sin_port);
	server->signals = -1;
	return 0;
}

void weir_server_close(struct weir_server *server)
{
	close(server->socket);
	if (server->signals >= 0)
		close(server->signals);
}

/* The signals come as bytes of a file; SIGPIPE does not come. */
int weir_server_watch(struct weir_server *server)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &ends, NULL) < 0 ||
	    signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		return -errno;
	server->signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
	return server->signals < 0 ? -errno : 0;
}

/* Who is being answered is not disturbed. */
static bool has_place(const struct loop *loop)
{
	for (int i = 0; i < MOST_TALKS; i++)
		if (loop->talks[i].state != WEIR_TALK_SAYS)
			return true;
	return false;
}

/*
 * A free place; else that of who has been longest at its request, so that
 * nobody keeps others out by saying nothing. NULL: see has_place().
 */
static struct weir_talk *find_place(struct loop *loop)
{
	struct weir_talk *slowest = NULL;

	for (int i = 0; i < MOST_TALKS; i++) {
		struct weir_talk *talk = &loop->talks[i];

		if (talk->state == WEIR_TALK_FREE)
			return talk;
		if (talk->state != WEIR_TALK_SAYS &&
		    (!slowest || talk->since < slowest->since))
			slowest = talk;
	}
	if (slowest)
		weir_talk_hang_up(slowest, loop->desk);
	return slowest;
}

/* What cannot be accepted now is tried again when something has ended. */
static void welcome(struct loop *loop)
{
	struct weir_talk *talk = find_place(loop);
	int fd;

	if (!talk)
		return;
	fd = accept4(loop->server->socket, NULL, NULL,
		     SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd >= 0)
		weir_talk_start(talk, fd);
}

/* Milliseconds to the first deadline; -1: there is none. */
static int time_left(const struct loop *loop, uint64_t now)
{
	uint64_t first = UINT64_MAX;

	for (int i = 0; i < MOST_TALKS; i++)
		if (loop->talks[i].state != WEIR_TALK_FREE &&
		    loop->talks[i].deadline < first)
			first = loop->talks[i].deadline;
	if (first == UINT64_MAX)
		return -1;
	return first < now ? 0 : (int)((first - now) / MS) + 1;
}

static void end_late_ones(struct loop *loop)
{
	uint64_t now = weir_talk_now();

	for (int i = 0; i < MOST_TALKS; i++)
		if (loop->talks[i].state != WEIR_TALK_FREE &&
		    loop->talks[i].deadline < now)
			weir_talk_hang_up(&loop->talks[i], loop->desk);
}

/* 1: go on; 0: somebody asked for the end; or -errno. */
static int turn(struct loop *loop)
{
	struct pollfd fds[MOST_TALKS + 2] = {
		{ .fd = loop->server->signals, .events = POLLIN },
		{ .fd = has_place(loop) ? loop->server->socket : -1,
		  .events = POLLIN },
	};
	struct pollfd *of_talks = fds + 2;

	for (int i = 0; i < MOST_TALKS; i++) {
		struct weir_talk *talk = &loop->talks[i];

		of_talks[i].fd = talk->state == WEIR_TALK_FREE ? -1 : talk->fd;
		of_talks[i].events = weir_talk_events(talk);
	}
	if (poll(fds, MOST_TALKS + 2, time_left(loop, weir_talk_now())) < 0)
		return errno == EINTR ? 1 : -errno;
	if (fds[0].revents)
		return 0;
	for (int i = 0; i < MOST_TALKS; i++)
		if (of_talks[i].fd >= 0 && of_talks[i].revents)
			weir_talk_go_on(&loop->talks[i], loop->desk);
	end_late_ones(loop);
	if (fds[1].revents)
		welcome(loop);
	return 1;
}

int weir_server_run(struct weir_server *server, struct weir_desk *desk)
{
	struct loop loop = { .server = server, .desk = desk };
	int more;

	loop.talks = calloc(MOST_TALKS, sizeof(*loop.talks));
	more = loop.talks ? 1 : -ENOMEM;
	while (more > 0)
		more = turn(&loop);
	for (int i = 0; loop.talks && i < MOST_TALKS; i++)
		if (loop.talks[i].state != WEIR_TALK_FREE)
			weir_talk_hang_up(&loop.talks[i], desk);
	free(loop.talks);
	return more;
}
