/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks a service that is running, from outside of any program. */
#include "serve/supervisor/ask.h"

#include "serve/daemon/connection.h"
#include "serve/state/runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define PATIENCE 2   /* seconds; then somebody looks whether it hangs */
#define DEATHS	 100 /* of daemons, while one thing is asked */

static int send_call(int fd, const struct weir_ask *ask,
		     const struct weir_op_row *row)
{
	unsigned char frame[WEIR_FRAME_SMALL];
	struct weir_frame_parts parts = {
		.fields = ask->fields ? ask->fields : &(uint64_t){0},
		.bytes = ask->text,
		.count = ask->text ? (uint32_t)strlen(ask->text) : 0,
	};
	int64_t size = weir_frame_put_call(frame, sizeof(frame), row, &parts);

	if (size < 0)
		return (int)size;
	return weir_connection_say(&(struct weir_connection_answer){
		.fd = fd,
		.bytes = frame,
		.size = (size_t)size,
		.wait_ms = -1,
	});
}

/* The supervisor replaces a daemon that hangs. Its answer tells us nothing. */
static void complain(const struct weir_ask *ask, const struct weir_op_row *row)
{
	struct weir_op_complain_in in = {
		.waited = PATIENCE * UINT64_C(1000000000),
	};
	struct weir_ask complaint = {.op = WEIR_OP_COMPLAIN, .fields = &in};
	int fd = row->by == WEIR_OP_BY_SUPERVISOR ?
			 -1 :
			 weir_runtime_connect(ask->place, WEIR_RUNTIME_ABOVE);

	if (fd < 0)
		return;
	send_call(fd, &complaint, weir_op_find(complaint.op));
	close(fd);
}

/* Some bytes, 0: none any more; who waits for long complains, and waits on. */
static ssize_t read_some(int fd, void *room, size_t size,
			 const struct weir_ask *ask)
{
	const struct weir_op_row *row = weir_op_find(ask->op);
	ssize_t got;

	do {
		got = recv(fd, room, size, 0);
		if (got < 0 && errno == EAGAIN)
			complain(ask, row);
	} while (got < 0 && (errno == EINTR || errno == EAGAIN));
	return got;
}

/* Until the other side hangs up, or the room is full. */
static int read_answer(int fd, unsigned char *room, size_t *size,
		       const struct weir_ask *ask)
{
	size_t used = 0;
	ssize_t got;

	do {
		got = read_some(fd, room + used, *size - used, ask);
		if (got < 0)
			return -errno;
		used += (size_t)got;
	} while (got && used < *size);
	*size = used;
	return used ? 0 : -ECONNRESET;
}

static int take_answer(struct weir_ask *ask, const struct weir_op_row *row,
		       const unsigned char *frame, size_t size)
{
	const void *bytes = NULL;
	uint32_t count = 0;
	uint64_t unused[8];
	struct weir_frame_rest rest = {&bytes, &count};
	int err = weir_frame_get_answer(frame, size, row,
					ask->results ? ask->results : unused,
					&rest);

	if (err == -EAGAIN) /* it was cut off */
		err = -ECONNRESET;
	if (err || row->answer.bytes == WEIR_OP_BYTES_NONE)
		return err;
	ask->data = strndup(bytes ? bytes : "", count);
	return ask->data ? 0 : -ENOMEM;
}

static int converse(int fd, struct weir_ask *ask, const struct weir_op_row *row)
{
	unsigned char *frame = malloc(WEIR_FRAME_MOST);
	size_t size = WEIR_FRAME_MOST;
	int err = frame ? send_call(fd, ask, row) : -ENOMEM;

	if (!err)
		err = read_answer(fd, frame, &size, ask);
	if (!err)
		err = take_answer(ask, row, frame, size);
	free(frame);
	return err;
}

static int ask_once(struct weir_ask *ask)
{
	static const struct timeval patience = {.tv_sec = PATIENCE};
	const struct weir_op_row *row = weir_op_find(ask->op);
	int fd, err;

	ask->data = NULL;
	fd = weir_runtime_connect(ask->place, row->by == WEIR_OP_BY_SUPERVISOR ?
				  WEIR_RUNTIME_ABOVE : WEIR_RUNTIME_DOOR);
	if (fd < 0)
		return fd;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	err = converse(fd, ask, row);
	close(fd);
	return err;
}

/* A daemon that dies meanwhile is replaced, and the next one is asked. */
int weir_ask(struct weir_ask *ask)
{
	int err = ask_once(ask);

	for (int i = 0; i < DEATHS && (err == -ECONNRESET || err == -EPIPE);
	     i++)
		err = ask_once(ask);
	return err;
}
