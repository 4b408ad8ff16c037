/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks a service that is running, from outside of any program. */
#include "serve/ask.h"

#include "serve/runtime.h"
#include "serve/guest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
	return weir_guest_say(&(struct weir_guest_answer){
		.fd = fd,
		.bytes = frame,
		.size = (size_t)size,
		.wait_ms = -1,
	});
}

/* Until the other side hangs up, or the room is full. */
static int read_all(int fd, unsigned char *room, size_t size, size_t *ret_used)
{
	ssize_t got;

	for (*ret_used = 0; *ret_used < size; *ret_used += (size_t)got) {
		got = recv(fd, room + *ret_used, size - *ret_used, 0);
		if (got < 0 && errno == EINTR)
			got = 0;
		else if (got < 0)
			return -errno;
		else if (!got)
			break;
	}
	return *ret_used ? 0 : -ECONNRESET;
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
	size_t size;
	int err = frame ? send_call(fd, ask, row) : -ENOMEM;

	if (!err)
		err = read_all(fd, frame, WEIR_FRAME_MOST, &size);
	if (!err)
		err = take_answer(ask, row, frame, size);
	free(frame);
	return err;
}

int weir_ask(struct weir_ask *ask)
{
	const struct weir_op_row *row = weir_op_find(ask->op);
	int fd, err;

	ask->data = NULL;
	fd = weir_runtime_connect(ask->place, row->by == WEIR_OP_BY_SUPERVISOR ?
				  WEIR_RUNTIME_ABOVE : WEIR_RUNTIME_DOOR);
	if (fd < 0)
		return fd;
	err = converse(fd, ask, row);
	close(fd);
	return err;
}
