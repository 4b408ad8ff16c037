/* SPDX-License-Identifier: BSD-3-Clause */
/* Listens for this machine's browsers, and serves all of them. */
#include "pageserver/listener.h"

#include "pageserver/httpconn.h"

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

#define MOST_CONNS 32
#define BACKLOG	   64
#define MS	   UINT64_C(1000000)

/* One thread does all: each answer is short, and the reader is one. */
struct loop {
	struct weir_listener *listener;
	struct weir_pageserver *server;
	struct weir_httpconn *conns; /* so many as may be */
};

int weir_listener_open(struct weir_listener *listener, uint16_t port)
{
	struct sockaddr_in at = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons(port),
	};
	socklen_t len = sizeof(at);
	int err, yes = 1;

	listener->socket =
		socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listener->socket < 0)
		return -errno;
	/* a port that was given may be used again at once */
	if (setsockopt(listener->socket, SOL_SOCKET, SO_REUSEADDR, &yes,
		       sizeof(yes)) < 0 ||
	    bind(listener->socket, (struct sockaddr *)&at, sizeof(at)) < 0 ||
	    listen(listener->socket, BACKLOG) < 0 ||
	    getsockname(listener->socket, (struct sockaddr *)&at, &len) < 0) {
		err = -errno;
		close(listener->socket);
		return err;
	}
	listener->port = ntohs(at.sin_port);
	listener->signals = -1;
	return 0;
}

void weir_listener_close(struct weir_listener *listener)
{
	close(listener->socket);
	if (listener->signals >= 0)
		close(listener->signals);
}

/* The signals come as bytes of a file; SIGPIPE does not come. */
int weir_listener_watch(struct weir_listener *listener)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &ends, NULL) < 0 ||
	    signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		return -errno;
	listener->signals = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
	return listener->signals < 0 ? -errno : 0;
}

/* Who is being answered is not disturbed. */
static bool has_place(const struct loop *loop)
{
	for (int i = 0; i < MOST_CONNS; i++)
		if (loop->conns[i].state != WEIR_HTTPCONN_SAYS)
			return true;
	return false;
}

/*
 * A free place; else that of who has been longest at its request, so that
 * nobody keeps others out by saying nothing. NULL: see has_place().
 */
static struct weir_httpconn *find_connection(struct loop *loop)
{
	struct weir_httpconn *slowest = NULL;

	for (int i = 0; i < MOST_CONNS; i++) {
		struct weir_httpconn *conn = &loop->conns[i];

		if (conn->state == WEIR_HTTPCONN_FREE)
			return conn;
		if (conn->state != WEIR_HTTPCONN_SAYS &&
		    (!slowest || conn->since < slowest->since))
			slowest = conn;
	}
	if (slowest)
		weir_httpconn_hang_up(slowest, loop->server);
	return slowest;
}

/* What cannot be accepted now is tried again when something has ended. */
static void welcome(struct loop *loop)
{
	struct weir_httpconn *conn = find_connection(loop);
	int fd;

	if (!conn)
		return;
	fd = accept4(loop->listener->socket, NULL, NULL,
		     SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd >= 0)
		weir_httpconn_start(conn, fd);
}

/* Milliseconds to the first deadline; -1: there is none. */
static int time_left(const struct loop *loop, uint64_t now)
{
	uint64_t first = UINT64_MAX;

	for (int i = 0; i < MOST_CONNS; i++)
		if (loop->conns[i].state != WEIR_HTTPCONN_FREE &&
		    loop->conns[i].deadline < first)
			first = loop->conns[i].deadline;
	if (first == UINT64_MAX)
		return -1;
	return first < now ? 0 : (int)((first - now) / MS) + 1;
}

static void end_late_ones(struct loop *loop)
{
	uint64_t now = weir_httpconn_now();

	for (int i = 0; i < MOST_CONNS; i++)
		if (loop->conns[i].state != WEIR_HTTPCONN_FREE &&
		    loop->conns[i].deadline < now)
			weir_httpconn_hang_up(&loop->conns[i], loop->server);
}

/* 1: go on; 0: somebody asked for the end; or -errno. */
static int turn(struct loop *loop)
{
	struct pollfd fds[MOST_CONNS + 2] = {
		{ .fd = loop->listener->signals, .events = POLLIN },
		{ .fd = has_place(loop) ? loop->listener->socket : -1,
		  .events = POLLIN },
	};
	struct pollfd *of_conns = fds + 2;

	for (int i = 0; i < MOST_CONNS; i++) {
		struct weir_httpconn *conn = &loop->conns[i];

		of_conns[i].fd =
			conn->state == WEIR_HTTPCONN_FREE ? -1 : conn->fd;
		of_conns[i].events = weir_httpconn_events(conn);
	}
	if (poll(fds, MOST_CONNS + 2, time_left(loop, weir_httpconn_now())) < 0)
		return errno == EINTR ? 1 : -errno;
	if (fds[0].revents)
		return 0;
	for (int i = 0; i < MOST_CONNS; i++)
		if (of_conns[i].fd >= 0 && of_conns[i].revents)
			weir_httpconn_go_on(&loop->conns[i], loop->server);
	end_late_ones(loop);
	if (fds[1].revents)
		welcome(loop);
	return 1;
}

int weir_listener_run(struct weir_listener *listener,
		      struct weir_pageserver *server)
{
	struct loop loop = { .listener = listener, .server = server };
	int more;

	loop.conns = calloc(MOST_CONNS, sizeof(*loop.conns));
	more = loop.conns ? 1 : -ENOMEM;
	while (more > 0)
		more = turn(&loop);
	for (int i = 0; loop.conns && i < MOST_CONNS; i++)
		if (loop.conns[i].state != WEIR_HTTPCONN_FREE)
			weir_httpconn_hang_up(&loop.conns[i], server);
	free(loop.conns);
	return more;
}
