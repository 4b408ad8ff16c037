/* SPDX-License-Identifier: BSD-3-Clause */
/* Attaches a process to its service, and hands over files that it opened. */
#include "forward/link/attach.h"

#include "base/append.h"
#include "forward/link/clientevents.h"
#include "forward/link/link.h"
#include "forward/link/link_ask.h"
#include "forward/link/link_map.h"
#include "forward/link/link_talk.h"
#include "forward/link/self.h"
#include "spec/forward.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#define TRIES 100 /* sessions that were given up before we had them */

/* Why there is no session, and will not be. */
static _Atomic int refused;

static int attach_once(void)
{
	struct weir_op_attach_in in = {
		.interface = WEIR_OP_INTERFACE,
		.pid = (uint32_t)weir_sys0(SYS_getpid),
	};
	struct weir_link_map map = {.directory = weir_link_directory()};
	unsigned char call[256];
	struct weir_link_talk talk = {.call = call, .fd = -1};
	int64_t size = weir_frame_put_attach(call, sizeof(call), &in, NULL, 0);
	const void *presence;
	int ret;

	if (size < 0)
		return (int)size;
	talk.call_size = (size_t)size;
	ret = weir_link_ask(&talk);
	if (!ret)
		ret = weir_frame_result_attach(talk.answer, talk.answer_size,
					       &map.about, &presence, NULL);
	if (!ret) {
		map.presence = presence;
		map.memory = talk.fds[0];
		map.board = talk.fds[1];
		weir_self_settle();
		ret = weir_link_map(&map);
	}
	weir_link_talk_end(&talk);
	return ret;
}

/* A daemon that dies meanwhile may give the session up for one without us. */
static int attach_until_kept(void)
{
	int ret = attach_once();

	for (int i = 0; ret == -ESTALE && i < TRIES; i++)
		ret = attach_once();
	return ret;
}

/*
 * One thread at a time; the others wait for it, as it waits for the service. In
 * a signal handler within it there is no session yet.
 */
static int enter_attaching(void)
{
	uint32_t me = weir_self_owner(), seen = 0;
	_Atomic uint32_t *attaching = &weir_self_page->attaching;

	while (!atomic_compare_exchange_strong(attaching, &seen, me)) {
		if (seen == me)
			return -EBUSY;
		weir_link_ask_later();
		seen = 0;
	}
	return 0;
}

/* What will be no better the next time: nor is a limit of memory. */
static bool is_final(int err)
{
	return weir_link_ask_may_pass(err) || err == -ECONNREFUSED ||
	       err == -ENOENT || err == -EPROTO || err == -EPROTONOSUPPORT ||
	       err == -ENOMEM || err == -ESTALE;
}

int weir_attach(void)
{
	int ret = atomic_load(&refused);

	if (weir_link_is_attached() || ret)
		return weir_link_is_attached() ? 0 : ret;
	ret = enter_attaching();
	if (ret)
		return ret;
	ret = atomic_load(&refused);
	if (!weir_link_is_attached() && !ret)
		ret = attach_until_kept();
	if (is_final(ret))
		atomic_store(&refused, ret);
	atomic_store(&weir_self_page->attaching, 0);
	return ret;
}

/* One of its own for the daemon: it has no part in the program's flags. */
static long reopen(int fd, int flags)
{
	char path[64];
	int mode = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	long own;

	weir_append_number(weir_append_text(path, "/proc/thread-self/fd/"),
			  (uint64_t)fd);
	if ((flags & O_ACCMODE) == O_RDONLY)
		return weir_sys4(SYS_openat, AT_FDCWD, path, mode | O_RDONLY,
				 0);
	own = weir_sys4(SYS_openat, AT_FDCWD, path, mode | O_RDWR, 0);
	return own >= 0 ? own
			: weir_sys4(SYS_openat, AT_FDCWD, path, mode | O_WRONLY,
				    0);
}

/* Signal handlers open files too, and their stacks are small. */
static void *map_call(void)
{
	long room =
		weir_sys6(SYS_mmap, 0, WEIR_FRAME_SMALL, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return weir_sys_failed(room) ? NULL : (void *)room;
}

static int send_file(int own, int flags, const char *path, uint64_t cid,
		     struct weir_op_open_out *ret_out)
{
	void *call = map_call();
	struct weir_op_open_in in = {
		.session = weir_link.page->session,
		.token0 = weir_link.page->token[0],
		.token1 = weir_link.page->token[1],
		.flags = (uint32_t)flags,
		.cid = cid,
	};
	struct weir_link_talk talk = {.call = call, .fd = own};
	int64_t size;
	int ret;

	if (!call)
		return -ENOMEM;
	size = weir_frame_put_open(call, WEIR_FRAME_SMALL, &in, path,
				   (uint32_t)strlen(path));
	talk.call_size = (size_t)size;
	ret = size < 0 ? (int)size : weir_link_ask(&talk);
	if (!ret)
		ret = weir_frame_result_open(talk.answer, talk.answer_size,
					     ret_out, NULL, NULL);
	weir_link_talk_end(&talk);
	weir_sys2(SYS_munmap, call, WEIR_FRAME_SMALL);
	return ret;
}

static int send_recorded(int own, int flags, const char *path,
			 struct weir_op_open_out *ret_out)
{
	struct weir_clientevent event;
	uint64_t cid = weir_clientevents_begin_open(&event, path);
	int ret = send_file(own, flags, path, cid, ret_out);

	weir_clientevents_end(&event,
			      &(struct weir_clientevent_end){
				      .op = "open", .cid = cid, .ret = ret});
	return ret;
}

int weir_attach_file(int fd, int flags, const char *path, uint32_t *ret_open)
{
	struct weir_op_open_out out;
	long own = reopen(fd, flags);
	int ret;

	if (own < 0)
		return (int)own;
	ret = send_recorded((int)own, flags, path, &out);
	weir_sys1(SYS_close, own);
	if (ret)
		return ret;
	if (out.open >= WEIR_SESSION_OPENS || out.file >= WEIR_BOARD_FILES)
		return -EPROTO;
	*ret_open = out.open;
	return 0;
}
