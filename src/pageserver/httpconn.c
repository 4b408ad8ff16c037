/* SPDX-License-Identifier: BSD-3-Clause */
/* Serves one connection: reads a request, sends the answer, hangs up. */
#include "pageserver/httpconn.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

/* A request must be whole by then; an answer must go on, and be taken. */
#define HEAR_NS (5 * SECOND)
#define SAY_NS	(30 * SECOND)
#define WAIT_NS (1 * SECOND)

uint64_t weir_httpconn_now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec * SECOND + (uint64_t)at.tv_nsec;
}

void weir_httpconn_start(struct weir_httpconn *conn, int fd)
{
	conn->state = WEIR_HTTPCONN_HEARS;
	conn->fd = fd;
	conn->since = weir_httpconn_now();
	conn->deadline = conn->since + HEAR_NS;
	conn->heard = 0;
	conn->answer = (struct weir_pageserver_answer){ .body = -1 };
}

void weir_httpconn_hang_up(struct weir_httpconn *conn,
			   const struct weir_pageserver *server)
{
	if (conn->answer.body >= 0 && conn->answer.body != server->page)
		close(conn->answer.body);
	close(conn->fd);
	conn->state = WEIR_HTTPCONN_FREE;
}

short weir_httpconn_events(const struct weir_httpconn *conn)
{
	return conn->state == WEIR_HTTPCONN_SAYS ? POLLOUT : POLLIN;
}

/* The page has its own policy in it; nothing else may be shown as one. */
static const char *policy_of(const struct weir_pageserver_answer *answer)
{
	return answer->is_page ? "frame-ancestors 'none'"
			       : "default-src 'none'; frame-ancestors 'none'";
}

static void write_head(struct weir_httpconn *conn,
		       const struct weir_pageserver *server)
{
	const struct weir_pageserver_answer *answer = &conn->answer;
	char more[160] = "";

	if (answer->lets_in)
		snprintf(more, sizeof(more),
			 "Location: /\r\nSet-Cookie: %s=%s; Path=/; HttpOnly; "
			 "SameSite=Strict\r\n",
			 server->access.name, server->access.secret);
	if (answer->status == 405)
		snprintf(more, sizeof(more), "Allow: GET\r\n");
	conn->head_len = (size_t)snprintf(
		conn->head, sizeof(conn->head),
		"HTTP/1.1 %d %s\r\n"
		"Content-Type: %s; charset=utf-8\r\n"
		"Content-Length: %lld\r\n"
		"Content-Security-Policy: %s\r\n"
		"X-Content-Type-Options: nosniff\r\n"
		"X-Frame-Options: DENY\r\n"
		"Cross-Origin-Resource-Policy: same-origin\r\n"
		"Cross-Origin-Opener-Policy: same-origin\r\n"
		"Cache-Control: no-store\r\n"
		"Referrer-Policy: no-referrer\r\n"
		"%s"
		"Connection: close\r\n\r\n",
		answer->status, weir_pageserver_reason(answer->status),
		answer->is_page ? "text/html" : "application/json",
		(long long)conn->body_len, policy_of(answer), more);
}

static void begin_answer(struct weir_httpconn *conn,
			 const struct weir_pageserver *server)
{
	conn->body_len = 0;
	if (conn->answer.body >= 0)
		conn->body_len = lseek(conn->answer.body, 0, SEEK_END);
	if (conn->body_len < 0)
		conn->body_len = 0;
	conn->body_said = 0;
	conn->head_said = 0;
	write_head(conn, server);
	conn->state = WEIR_HTTPCONN_SAYS;
	conn->deadline = weir_httpconn_now() + SAY_NS;
}

/* 0, or -errno: nothing more can be done on it. */
static int hear(struct weir_httpconn *conn, struct weir_pageserver *server)
{
	struct weir_http_request request;
	ssize_t n = recv(conn->fd, conn->request + conn->heard,
			 WEIR_HTTP_MOST - conn->heard, 0);
	int whole;

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if (!n)
		return -ECONNRESET;
	conn->heard += (size_t)n;
	whole = weir_http_parse(conn->request, conn->heard, &request);
	if (!whole)
		return 0;
	if (whole > 0)
		weir_pageserver_answer(server, &request, &conn->answer);
	else
		weir_pageserver_refuse(-whole, &conn->answer);
	begin_answer(conn, server);
	return 0;
}

static ssize_t say_some(struct weir_httpconn *conn)
{
	ssize_t n;

	if (conn->head_said < conn->head_len) {
		n = send(conn->fd, conn->head + conn->head_said,
			 conn->head_len - conn->head_said,
			 MSG_NOSIGNAL | MSG_MORE * (conn->body_len > 0));
		conn->head_said += n > 0 ? (size_t)n : 0;
		return n;
	}
	return sendfile(conn->fd, conn->answer.body, &conn->body_said,
			(size_t)(conn->body_len - conn->body_said));
}

/*
 * When all is said the other side hangs up first: closing with bytes unread
 * would take back what it has not read yet.
 */
static int send_answer(struct weir_httpconn *conn)
{
	ssize_t n = say_some(conn);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	conn->deadline = weir_httpconn_now() + SAY_NS;
	if (conn->head_said < conn->head_len ||
	    conn->body_said < conn->body_len)
		return 0;
	if (shutdown(conn->fd, SHUT_WR) < 0)
		return -errno;
	conn->state = WEIR_HTTPCONN_WAITS;
	conn->deadline = weir_httpconn_now() + WAIT_NS;
	return 0;
}

static int await_end(struct weir_httpconn *conn)
{
	char rest[4096];
	ssize_t n = recv(conn->fd, rest, sizeof(rest), 0);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	return n ? 0 : -ECONNRESET;
}

void weir_httpconn_go_on(struct weir_httpconn *conn,
			 struct weir_pageserver *server)
{
	int err = 0;

	switch (conn->state) {
	case WEIR_HTTPCONN_FREE:
		return;
	case WEIR_HTTPCONN_HEARS:
		err = hear(conn, server);
		break;
	case WEIR_HTTPCONN_SAYS:
		err = send_answer(conn);
		break;
	case WEIR_HTTPCONN_WAITS:
		err = await_end(conn);
		break;
	}
	if (err)
		weir_httpconn_hang_up(conn, server);
}
