/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers requests that come through the daemon's socket. */
#include "serve/daemon/request.h"

#include "serve/daemon/daemonevents.h"
#include "serve/daemon/status.h"
#include "serve/daemon/upkeep.h"
#include "serve/deferred/deferred.h"
#include "serve/failures/unstored.h"
#include "serve/service/sessions.h"
#include "serve/staging/stage.h"
#include "serve/threads/jobs.h"
#include "spec/forward.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOW_MS 5000 /* for a reader */

/* A request that is heard, and its answer. */
struct request {
	struct weir_connection connection;
	unsigned char *frame;
	size_t room;
	int64_t size;
	int fds[2];
	uint32_t fd_count;
};

static int allocate_frame(struct request *r, size_t room)
{
	r->frame = malloc(room);
	r->room = r->frame ? room : 0;
	return r->frame ? 0 : -ENOMEM;
}

static int attach(struct request *r)
{
	struct weir_sessions_welcome welcome;
	struct weir_op_attach_in in;
	struct weir_op_attach_out out;
	int err = weir_frame_get_attach(r->connection.bytes, r->connection.used,
					&in, NULL, NULL);

	if (!err && in.interface != weir_op_interface)
		err = -EPROTONOSUPPORT;
	if (!err)
		err = weir_sessions_attach(r->connection.pid, &welcome);
	if (err)
		return err;
	out = (struct weir_op_attach_out){
		.session = welcome.session, .chunks = welcome.chunks,
		.token0 = welcome.token[0], .token1 = welcome.token[1],
	};
	r->fds[0] = welcome.memory_fd;
	r->fds[1] = weir_state_board_fd;
	r->fd_count = 2;
	r->size = weir_frame_answer_attach(r->frame, r->room, &out,
					   welcome.presence,
					   (uint32_t)strlen(welcome.presence));
	return 0;
}

static int open_for_session(struct request *r)
{
	struct weir_op_open_in in;
	struct weir_op_open_out out = {0};
	const void *path;
	int fd = r->connection.passed, err;

	err = weir_frame_get_open(r->connection.bytes, r->connection.used, &in,
				  &path, NULL);
	if (!err && fd < 0)
		err = -EBADF;
	if (err)
		return err;
	r->connection.passed = -1;
	err = weir_sessions_open(&in, path, fd, &out);
	if (err)
		return err;
	r->size = weir_frame_answer_open(r->frame, r->room, &out, NULL, 0);
	return 0;
}

/* Text of any length, as the data of an answer. */
static int bring(struct request *r, char *json,
		 const struct weir_op_row *row)
{
	struct weir_frame_parts parts = {.fields = &(uint32_t){0}};
	size_t length = json ? strlen(json) : 0;
	int err = json ? 0 : -ENOMEM;

	if (length > WEIR_SESSION_LANE)
		err = -EMSGSIZE;
	free(r->frame);
	if (!err)
		err = allocate_frame(r, WEIR_FRAME_MOST);
	parts.bytes = json;
	parts.count = (uint32_t)length;
	if (!err)
		r->size = weir_frame_put_answer(r->frame, r->room, row, &parts);
	free(json);
	return err;
}

static int tell_status(struct request *r)
{
	weir_upkeep_tidy();
	return bring(r, weir_status_json(), &weir_ops[WEIR_OP_AT_STATUS]);
}

static int tell_errors(struct request *r)
{
	return bring(r, weir_unstored_json(), &weir_ops[WEIR_OP_AT_ERRORS]);
}

static int drain(struct request *r)
{
	struct weir_op_drain_out out = {
		.left = weir_deferred_materialise_all()};

	out.left += weir_stage_everything();
	r->size = weir_frame_answer_drain(r->frame, r->room, &out, NULL, 0);
	return 0;
}

static int discard(struct request *r)
{
	struct weir_op_discard_in in;
	struct weir_op_discard_out out = {0};
	const void *path;
	int err = weir_frame_get_discard(r->connection.bytes,
					 r->connection.used, &in, &path, NULL);

	if (err)
		return err;
	out.entries = weir_stage_discard(path);
	r->size = weir_frame_answer_discard(r->frame, r->room, &out, NULL, 0);
	return 0;
}

static int record(struct request *r)
{
	struct weir_op_record_in in;
	struct weir_op_record_out out = {0};
	const void *directory;
	int err = weir_frame_get_record(r->connection.bytes, r->connection.used,
					&in, &directory, NULL);

	if (!err)
		err = weir_daemonevents_begin(directory);
	if (!err)
		r->size = weir_frame_answer_record(r->frame, r->room, &out,
						   NULL, 0);
	return err;
}

/* What is given back goes along with the answer. */
static void send_along(struct request *r, int fd)
{
	r->fds[0] = fd;
	r->fd_count = 1;
}

static int create_deferred(struct request *r)
{
	struct weir_op_create_deferred_in in;
	struct weir_op_create_deferred_out out = {0};
	const void *path;
	int fd = weir_frame_get_create_deferred(
		r->connection.bytes, r->connection.used, &in, &path, NULL);

	if (!fd)
		fd = weir_deferred_create(&in, path, r->connection.passed,
					  &out);
	if (fd < 0)
		return fd;
	send_along(r, fd);
	r->size = weir_frame_answer_create_deferred(r->frame, r->room, &out,
						    NULL, 0);
	return 0;
}

static int materialise(struct request *r)
{
	struct weir_op_materialise_in in;
	struct weir_op_materialise_out out = {0};
	const void *path;
	int err = weir_frame_get_materialise(
		r->connection.bytes, r->connection.used, &in, &path, NULL);

	if (!err)
		err = weir_deferred_materialise_named(&in, path,
						      r->connection.passed);
	if (!err)
		r->size = weir_frame_answer_materialise(r->frame, r->room, &out,
							NULL, 0);
	return err;
}

static int unlink_deferred(struct request *r)
{
	struct weir_op_unlink_deferred_in in;
	struct weir_op_unlink_deferred_out out = {0};
	const void *path;
	int err = weir_frame_get_unlink_deferred(
		r->connection.bytes, r->connection.used, &in, &path, NULL);

	if (!err)
		err = weir_deferred_unlink(&in, path, r->connection.passed);
	if (!err)
		r->size = weir_frame_answer_unlink_deferred(r->frame, r->room,
							    &out, NULL, 0);
	return err;
}

static int fetch_file(struct request *r)
{
	struct weir_op_fetch_in in;
	struct weir_op_fetch_out out = {0};
	int fd = weir_frame_get_fetch(r->connection.bytes, r->connection.used,
				      &in, NULL, NULL);

	if (!fd)
		fd = weir_deferred_fetch(&in, &out);
	if (fd < 0)
		return fd;
	if (!out.stays)
		send_along(r, fd);
	r->size = weir_frame_answer_fetch(r->frame, r->room, &out, NULL, 0);
	return 0;
}

static int number(struct request *r)
{
	struct weir_op_number_in in;
	struct weir_op_number_out out = {0};
	int err = weir_frame_get_number(r->connection.bytes, r->connection.used,
					&in, NULL, NULL);

	if (!err)
		err = weir_deferred_number(&in);
	if (!err)
		r->size = weir_frame_answer_number(r->frame, r->room, &out,
						   NULL, 0);
	return err;
}

static const struct {
	uint32_t op;
	bool at_once; /* it waits for nothing */
	int (*answer)(struct request *r);
} answers[] = {
	{WEIR_OP_ATTACH, true, attach},
	{WEIR_OP_OPEN, false, open_for_session},
	{WEIR_OP_STATUS, false, tell_status},
	{WEIR_OP_DRAIN, false, drain},
	{WEIR_OP_ERRORS, false, tell_errors},
	{WEIR_OP_DISCARD, false, discard},
	{WEIR_OP_RECORD, false, record},
	{WEIR_OP_CREATE_DEFERRED, false, create_deferred},
	{WEIR_OP_MATERIALISE, false, materialise},
	{WEIR_OP_UNLINK_DEFERRED, false, unlink_deferred},
	{WEIR_OP_FETCH, false, fetch_file},
	{WEIR_OP_NUMBER, false, number},
};

static int find_answer(uint32_t op)
{
	for (unsigned i = 0; i < sizeof(answers) / sizeof(*answers); i++)
		if (answers[i].op == op)
			return (int)i;
	return -ENOSYS;
}

static int work_out(struct request *r, uint32_t *ret_op)
{
	struct weir_frame head;
	int err = weir_frame_check(r->connection.bytes, r->connection.used,
				   &head);
	int which = find_answer(head.op);

	*ret_op = head.op;
	if (err || which < 0)
		return err ? err : which;
	return answers[which].answer(r);
}

/* What no client of ours would ask. */
static bool makes_no_sense(int err)
{
	static const int errors[] = {
		EPROTO, EPROTONOSUPPORT, ENOSYS, EINVAL, EBADF, EPERM, EACCES,
	};

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (err == -errors[i])
			return true;
	return false;
}

static void hang_up(struct request *r)
{
	weir_connection_end(&r->connection);
	free(r->frame);
	free(r);
}

static void answer_request(struct request *r, int wait_ms)
{
	uint32_t op;
	int err = work_out(r, &op);

	if (makes_no_sense(err))
		atomic_fetch_add(&weir_state->refused, 1);
	if (err && (r->frame || !allocate_frame(r, WEIR_FRAME_SMALL)))
		r->size = weir_frame_refuse(r->frame, r->room, op, err);
	if (r->frame && r->size > 0)
		weir_connection_say(&(struct weir_connection_answer){
			.fd = r->connection.fd,
			.bytes = r->frame,
			.size = (size_t)r->size,
			.fds = r->fds,
			.fd_count = r->fd_count,
			.wait_ms = wait_ms,
		});
	if (r->fd_count)
		close(r->fds[0]);
	hang_up(r);
}

static void answer_later(void *request)
{
	answer_request(request, SLOW_MS);
}

static struct request *take_over(struct weir_connection *connection)
{
	struct request *r = calloc(1, sizeof(*r));

	if (!r || allocate_frame(r, WEIR_FRAME_SMALL)) {
		free(r);
		weir_connection_end(connection);
		return NULL;
	}
	r->connection = *connection;
	connection->fd = -1;
	connection->passed = -1;
	return r;
}

bool weir_request_is_attach(const struct weir_connection *connection)
{
	struct weir_frame head;

	return !weir_frame_check(connection->bytes, connection->used, &head) &&
	       head.op == WEIR_OP_ATTACH;
}

bool weir_request_answer(struct weir_connection *connection, pid_t *ret_pid)
{
	struct request *r = take_over(connection);
	struct weir_frame head;
	int which;

	if (!r)
		return false;
	weir_frame_check(r->connection.bytes, r->connection.used, &head);
	which = find_answer(head.op);
	*ret_pid = r->connection.pid;
	if (which < 0 || answers[which].at_once)
		answer_request(r, 0);
	else if (weir_jobs_do(answer_later, r))
		hang_up(r);
	return head.op == WEIR_OP_ATTACH;
}
