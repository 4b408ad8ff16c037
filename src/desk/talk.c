/* SPDX-License-Identifier: BSD-3-Clause */
/* One connection: a request comes in, an answer goes out, and that is all. */
#include "desk/talk.h"

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

uint64_t weir_talk_now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec * SECOND + (uint64_t)at.tv_nsec;
}

void weir_talk_start(struct weir_talk *talk, int fd)
{
	talk->state = WEIR_TALK_HEARS;
	talk->fd = fd;
	talk->since = weir_talk_now();
	talk->deadline = talk->since + HEAR_NS;
	talk->heard = 0;
	talk->answer = (struct weir_desk_answer){ .body = -1 };
}

void weir_talk_hang_up(struct weir_talk *talk, const struct weir_desk *desk)
{
	if (talk->answer.body >= 0 && talk->answer.body != desk->page)
		close(talk->answer.body);
	close(talk->fd);
	talk->state = WEIR_TALK_FREE;
}

short weir_talk_events(const struct weir_talk *talk)
{
	return talk->state == WEIR_TALK_SAYS ? POLLOUT : POLLIN;
}

/* The page has its own policy in it; nothing else may be shown as one. */
static const char *policy_of(const struct weir_desk_answer *answer)
{
	return answer->is_page ? "frame-ancestors 'none'" :
				 "default-src 'none'; frame-ancestors 'none'";
}

static void write_head(struct weir_talk *talk, const struct weir_desk *desk)
{
	const struct weir_desk_answer *answer = &talk->answer;
	char more[160] = "";

	if (answer->lets_in)
		snprintf(more, sizeof(more),
			 "Location: /\r\nSet-Cookie: %s=%s; Path=/; HttpOnly; "
			 "SameSite=Strict\r\n", desk->ticket.name,
			 desk->ticket.secret);
	if (answer->status == 405)
		snprintf(more, sizeof(more), "Allow: GET\r\n");
	talk->head_len = (size_t)snprintf(
		talk->head, sizeof(talk->head),
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
		answer->status, weir_desk_reason(answer->status),
		answer->is_page ? "text/html" : "application/json",
		(long long)talk->body_len, policy_of(answer), more);
}

static void begin_answer(struct weir_talk *talk, const struct weir_desk *desk)
{
	talk->body_len = 0;
	if (talk->answer.body >= 0)
		talk->body_len = lseek(talk->answer.body, 0, SEEK_END);
	if (talk->body_len < 0)
		talk->body_len = 0;
	talk->body_said = 0;
	talk->head_said = 0;
	write_head(talk, desk);
	talk->state = WEIR_TALK_SAYS;
	talk->deadline = weir_talk_now() + SAY_NS;
}

/* 0, or -errno: nothing more can be done on it. */
static int hear(struct weir_talk *talk, struct weir_desk *desk)
{
	struct weir_http_request request;
	ssize_t n = recv(talk->fd, talk->request + talk->heard,
			 WEIR_HTTP_MOST - talk->heard, 0);
	int whole;

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if (!n)
		return -ECONNRESET;
	talk->heard += (size_t)n;
	whole = weir_http_parse(talk->request, talk->heard, &request);
	if (!whole)
		return 0;
	if (whole > 0)
		weir_desk_answer(desk, &request, &talk->answer);
	else
		weir_desk_refuse(-whole, &talk->answer);
	begin_answer(talk, desk);
	return 0;
}

static ssize_t say_some(struct weir_talk *talk)
{
	ssize_t n;

	if (talk->head_said < talk->head_len) {
		n = send(talk->fd, talk->head + talk->head_said,
			 talk->head_len - talk->head_said,
			 MSG_NOSIGNAL | MSG_MORE * (talk->body_len > 0));
		talk->head_said += n > 0 ? (size_t)n : 0;
		return n;
	}
	return sendfile(talk->fd, talk->answer.body, &talk->body_said,
			(size_t)(talk->body_len - talk->body_said));
}

/*
 * When all is said the other side hangs up first: closing with bytes unread
 * would take back what it has not read yet.
 */
static int say(struct weir_talk *talk)
{
	ssize_t n = say_some(talk);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	talk->deadline = weir_talk_now() + SAY_NS;
	if (talk->head_said < talk->head_len ||
	    talk->body_said < talk->body_len)
		return 0;
	if (shutdown(talk->fd, SHUT_WR) < 0)
		return -errno;
	talk->state = WEIR_TALK_WAITS;
	talk->deadline = weir_talk_now() + WAIT_NS;
	return 0;
}

static int await_end(struct weir_talk *talk)
{
	char rest[4096];
	ssize_t n = recv(talk->fd, rest, sizeof(rest), 0);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	return n ? 0 : -ECONNRESET;
}

void weir_talk_go_on(struct weir_talk *talk, struct weir_desk *desk)
{
	int err = 0;

	switch (talk->state) {
	case WEIR_TALK_FREE:
		return;
	case WEIR_TALK_HEARS:
		err = hear(talk, desk);
		break;
	case WEIR_TALK_SAYS:
		err = say(talk);
		break;
	case WEIR_TALK_WAITS:
		err = await_end(talk);
		break;
	}
	if (err)
		weir_talk_hang_up(talk, desk);
}
