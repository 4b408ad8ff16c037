/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the daemon to create, materialise and unlink deferred files. */
#include "forward/deferred/deferral_ask.h"

#include "base/clock.h"
#include "base/sys.h"
#include "forward/link/clientevents.h"
#include "forward/link/link.h"
#include "forward/link/link_ask.h"
#include "forward/link/link_talk.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Signal handlers open files too, and their stacks are small. */
struct room {
	struct weir_link_talk talk;
	unsigned char call[WEIR_FRAME_SMALL];
};

static struct room *map_room(int fd)
{
	long at = weir_sys6(SYS_mmap, 0, sizeof(struct room),
			    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	struct room *room = (struct room *)at;

	if (weir_sys_failed(at))
		return NULL;
	room->talk.call = room->call;
	room->talk.fd = fd;
	memset(room->talk.fds, -1, sizeof(room->talk.fds));
	return room;
}

static void unmap_room(struct room *room)
{
	weir_link_talk_end(&room->talk);
	weir_sys2(SYS_munmap, room, sizeof(*room));
}

static int ask_in_room(struct room *room, int64_t size)
{
	if (size < 0)
		return (int)size;
	room->talk.call_size = (size_t)size;
	return weir_link_ask(&room->talk);
}

static int keep_fd(struct room *room)
{
	int fd = room->talk.fds[0];

	room->talk.fds[0] = -1;
	return fd;
}

/* No two calls have the same, of any process. */
static uint64_t make_nonce(void)
{
	uint64_t now = weir_clock_ns(CLOCK_MONOTONIC);

	return now << 22 ^ (uint64_t)weir_sys0(SYS_gettid);
}

static int send_create(struct weir_op_create_deferred_in *in, int parent,
		       const char *path,
		       struct weir_op_create_deferred_out *ret_out, int *ret_fd)
{
	struct room *room = map_room(parent);
	int ret;

	if (!room)
		return -ENOMEM;
	in->session = weir_link.page->session;
	in->token0 = weir_link.page->token[0];
	in->token1 = weir_link.page->token[1];
	in->nonce = make_nonce();
	ret = ask_in_room(room, weir_frame_put_create_deferred(
					room->call, sizeof(room->call), in,
					path, (uint32_t)strlen(path)));
	if (!ret)
		ret = weir_frame_result_create_deferred(room->talk.answer,
						 room->talk.answer_size,
						 ret_out, NULL, NULL);
	if (!ret)
		*ret_fd = keep_fd(room);
	unmap_room(room);
	return ret;
}

int weir_deferral_ask_create(struct weir_op_create_deferred_in *in, int parent,
			     const char *path,
			     struct weir_op_create_deferred_out *ret_out,
			     int *ret_fd)
{
	struct weir_clientevent event;
	int ret;

	in->cid = weir_clientevents_begin_open(&event, path);
	ret = send_create(in, parent, path, ret_out, ret_fd);
	weir_clientevents_end(
		&event, &(struct weir_clientevent_end){.op = "create_deferred",
						       .cid = in->cid,
						       .ret = ret});
	return ret;
}

int weir_deferral_ask_materialise(uint32_t how, int parent, const char *path)
{
	struct room *room = map_room(parent);
	struct weir_op_materialise_in in = {.how = how};
	struct weir_op_materialise_out out;
	int ret;

	if (!room)
		return -ENOMEM;
	ret = ask_in_room(room, weir_frame_put_materialise(
					room->call, sizeof(room->call), &in,
					path, (uint32_t)strlen(path)));
	if (!ret)
		ret = weir_frame_result_materialise(room->talk.answer,
					     room->talk.answer_size, &out, NULL,
					     NULL);
	unmap_room(room);
	return ret;
}

int weir_deferral_ask_unlink(int parent, const char *path)
{
	struct room *room = map_room(parent);
	struct weir_op_unlink_deferred_in in = {.nonce = make_nonce()};
	struct weir_op_unlink_deferred_out out;
	int ret;

	if (!room)
		return -ENOMEM;
	in.user = (uint32_t)weir_sys0(SYS_geteuid);
	ret = ask_in_room(room, weir_frame_put_unlink_deferred(
					room->call, sizeof(room->call), &in,
					path, (uint32_t)strlen(path)));
	if (!ret)
		ret = weir_frame_result_unlink_deferred(room->talk.answer,
					     room->talk.answer_size, &out, NULL,
					     NULL);
	unmap_room(room);
	return ret;
}

int weir_deferral_ask_number(uint32_t open)
{
	struct room *room = map_room(-1);
	struct weir_op_number_in in = {
		.session = weir_link.page->session,
		.token0 = weir_link.page->token[0],
		.token1 = weir_link.page->token[1],
		.open = open,
	};
	struct weir_op_number_out out;
	int ret;

	if (!room)
		return -ENOMEM;
	ret = ask_in_room(room,
			  weir_frame_put_number(room->call, sizeof(room->call),
						&in, NULL, 0));
	if (!ret)
		ret = weir_frame_result_number(room->talk.answer,
					       room->talk.answer_size, &out,
					       NULL, NULL);
	unmap_room(room);
	return ret;
}

int weir_deferral_ask_fetch(uint32_t open, bool grows,
			    struct weir_op_fetch_out *ret_out, int *ret_fd)
{
	struct room *room = map_room(-1);
	struct weir_op_fetch_in in = {
		.session = weir_link.page->session,
		.token0 = weir_link.page->token[0],
		.token1 = weir_link.page->token[1],
		.open = open,
		.grows = grows,
	};
	int ret;

	if (!room)
		return -ENOMEM;
	ret = ask_in_room(room,
			  weir_frame_put_fetch(room->call, sizeof(room->call),
					       &in, NULL, 0));
	if (!ret)
		ret = weir_frame_result_fetch(room->talk.answer,
					      room->talk.answer_size, ret_out,
					      NULL, NULL);
	if (!ret)
		*ret_fd = keep_fd(room);
	unmap_room(room);
	return ret;
}
