/* SPDX-License-Identifier: BSD-3-Clause */
/* forward: this process and its service. */
#include "forward/link.h"

#include "base/clock.h"
#include "capture/spell.h"
#include "forward/clientevents.h"
#include "forward/link_map.h"
#include "forward/link_talk.h"
#include "forward/self.h"
#include "spec/forward.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#define BOOT_ID	  37
#define RETRY	  UINT64_C(10000000)	 /* ns between attempts */
#define RETRIES	  500 /* that end soon, one after the other: no service */
#define SOON	  (WEIR_LINK_WAIT / 2) /* ns: nobody was waited for */
#define NOT_FOUND UINT64_C(15000000000) /* ns without a name: it is gone */
#define TRIES	  100 /* sessions that were given up before we had them */

struct weir_link weir_link;
bool weir_link_is_on, weir_link_is_deferring;

/* What WEIR_FORWARD says; directories with a zero behind each. */
static char words[3 * PATH_MAX], delays[PATH_MAX];
static const char *directory, *prefixes;

/* Why there is no session, and will not be. */
static _Atomic int refused;

static bool is_this_boot(const char *id)
{
	char own[BOOT_ID] = "";
	long got, fd = weir_sys4(SYS_openat, AT_FDCWD,
				 "/proc/sys/kernel/random/boot_id",
				 O_RDONLY | O_CLOEXEC, 0);

	if (fd < 0)
		return false;
	got = weir_sys3(SYS_read, fd, own, BOOT_ID - 1);
	weir_sys1(SYS_close, fd);
	return got == BOOT_ID - 1 && !strcmp(own, id);
}

static char *cut_at(char *text, char mark)
{
	char *at = text ? strchr(text, mark) : NULL;

	if (!at)
		return NULL;
	*at = 0;
	return at + 1;
}

static void cut_up(char *text, char mark)
{
	while (text)
		text = cut_at(text, mark);
}

/* What stands behind the prefixes is moved elsewhere: zeros end them. */
static void take_delays(char *text)
{
	size_t length = text ? strlen(text) : 0;

	if (!length || length >= sizeof(delays) - 1)
		return;
	memcpy(delays, text, length);
	memset(text, 0, length);
	cut_up(delays, ':');
}

/* Another host's service, or one of before a restart, is none. */
void weir_link_begin(const char *where)
{
	char *boot, *first;

	if (strlen(where) >= sizeof(words) - 1)
		return;
	memcpy(words, where, strlen(where) + 1);
	boot = cut_at(words, '|');
	first = cut_at(boot, '|');
	if (!first || !is_this_boot(boot))
		return;
	take_delays(cut_at(first, '|'));
	directory = words;
	prefixes = first;
	cut_up(first, ':');
	weir_self_begin();
	weir_link_is_on = true;
}

static bool is_below(const char *path, const char *prefix, size_t len)
{
	return len && !strncmp(path, prefix, len) &&
	       (!path[len] || path[len] == '/' || prefix[len - 1] == '/');
}

/* Two zeros end them: the rest of the text is zeros. */
static bool is_below_any(const char *path, const char *prefix)
{
	size_t len;

	for (; prefix && (len = strlen(prefix)); prefix += len + 1)
		if (is_below(path, prefix, len))
			return true;
	return false;
}

const char *weir_link_directory(void)
{
	return directory;
}

bool weir_link_wants(const char *path)
{
	return is_below_any(path, prefixes);
}

bool weir_link_defers(const char *path)
{
	return is_below_any(path, delays);
}

const char *weir_link_deferred(void)
{
	return delays;
}

static void sleep_for(uint64_t ns)
{
	struct timespec time = { .tv_nsec = (long)ns };

	weir_sys2(SYS_nanosleep, &time, NULL);
}

static bool may_pass(int err)
{
	return err == -EAGAIN || err == -ECONNRESET || err == -EINTR;
}

/* All attempts ended soon: then there is one for each file, no more. */
static _Atomic bool has_given_up;

/*
 * As long as there is a service it is waited for, however long that takes: who
 * went to the kernel instead would write beside what others have written, and
 * read what is old. A daemon that dies or hangs meanwhile is replaced, and the
 * next one is asked. Who hangs is told of, as nobody else may be waiting. One
 * that gives up has its socket until it has stored what it can.
 */
static int ask_daemon(struct weir_link_talk *talk)
{
	int ret = -EAGAIN, in_vain = atomic_load(&has_given_up) ? RETRIES - 1
								: 0;
	uint64_t waited = 0, from;

	talk->directory = directory;
	talk->name = WEIR_LINK_DOOR;
	for (; in_vain < RETRIES; in_vain++) {
		from = weir_clock_ns(CLOCK_MONOTONIC);
		ret = weir_link_talk(talk);
		if (!may_pass(ret))
			break;
		if (weir_clock_ns(CLOCK_MONOTONIC) - from < SOON) {
			sleep_for(RETRY);
			continue;
		}
		in_vain = 0; /* somebody is there, and slow */
		waited += WEIR_LINK_WAIT;
		weir_link_complain(waited);
	}
	atomic_store(&has_given_up, may_pass(ret));
	return ret;
}

int weir_link_ask(struct weir_link_talk *talk)
{
	return ask_daemon(talk);
}

static int attach(void)
{
	struct weir_op_attach_in in = {
		.interface = WEIR_OP_INTERFACE,
		.pid = (uint32_t)weir_sys0(SYS_getpid),
	};
	struct weir_link_map map = { .directory = directory };
	unsigned char call[256];
	struct weir_link_talk talk = { .call = call, .fd = -1 };
	int64_t size = weir_frame_put_attach(call, sizeof(call), &in, NULL, 0);
	const void *presence;
	int ret;

	if (size < 0)
		return (int)size;
	talk.call_size = (size_t)size;
	ret = ask_daemon(&talk);
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
	int ret = attach();

	for (int i = 0; ret == -ESTALE && i < TRIES; i++)
		ret = attach();
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
		sleep_for(RETRY);
		seen = 0;
	}
	return 0;
}

/* What will be no better the next time: nor is a limit of memory. */
static bool is_final(int err)
{
	return may_pass(err) || err == -ECONNREFUSED || err == -ENOENT ||
	       err == -EPROTO || err == -EPROTONOSUPPORT ||
	       err == -ENOMEM || err == -ESTALE;
}

int weir_link_attach(void)
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

	weir_spell_number(weir_spell_text(path, "/proc/thread-self/fd/"),
			  (uint64_t)fd);
	if ((flags & O_ACCMODE) == O_RDONLY)
		return weir_sys4(SYS_openat, AT_FDCWD, path, mode | O_RDONLY,
				 0);
	own = weir_sys4(SYS_openat, AT_FDCWD, path, mode | O_RDWR, 0);
	return own >= 0 ? own :
			  weir_sys4(SYS_openat, AT_FDCWD, path,
				    mode | O_WRONLY, 0);
}

/* Signal handlers open files too, and their stacks are small. */
static void *make_room(void)
{
	long room = weir_sys6(SYS_mmap, 0, WEIR_FRAME_SMALL,
			      PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return weir_sys_failed(room) ? NULL : (void *)room;
}

static int hand_over(int own, int flags, const char *path, uint64_t cid,
		     struct weir_op_open_out *ret_out)
{
	void *call = make_room();
	struct weir_op_open_in in = {
		.session = weir_link.page->session,
		.token0 = weir_link.page->token[0],
		.token1 = weir_link.page->token[1],
		.flags = (uint32_t)flags,
		.cid = cid,
	};
	struct weir_link_talk talk = { .call = call, .fd = own };
	int64_t size;
	int ret;

	if (!call)
		return -ENOMEM;
	size = weir_frame_put_open(call, WEIR_FRAME_SMALL, &in, path,
				   (uint32_t)strlen(path));
	talk.call_size = (size_t)size;
	ret = size < 0 ? (int)size : ask_daemon(&talk);
	if (!ret)
		ret = weir_frame_result_open(talk.answer, talk.answer_size,
					     ret_out, NULL, NULL);
	weir_link_talk_end(&talk);
	weir_sys2(SYS_munmap, call, WEIR_FRAME_SMALL);
	return ret;
}

static int tell_open(int own, int flags, const char *path,
		     struct weir_op_open_out *ret_out)
{
	struct weir_clientevent event;
	uint64_t cid = weir_clientevents_begin_open(&event, path);
	int ret = hand_over(own, flags, path, cid, ret_out);

	weir_clientevents_end(&event,
			      &(struct weir_clientevent_end){
				      .op = "open", .cid = cid, .ret = ret});
	return ret;
}

int weir_link_open(int fd, int flags, const char *path, uint32_t *ret_open)
{
	struct weir_op_open_out out;
	long own = reopen(fd, flags);
	int ret;

	if (own < 0)
		return (int)own;
	ret = tell_open((int)own, flags, path, &out);
	weir_sys1(SYS_close, own);
	if (ret)
		return ret;
	if (out.open >= WEIR_SESSION_OPENS || out.file >= WEIR_BOARD_FILES)
		return -EPROTO;
	*ret_open = out.open;
	return 0;
}

static int complain_at(const char *name, uint64_t waited_ns)
{
	struct weir_op_complain_in in = { .waited = waited_ns };
	unsigned char call[256];
	struct weir_link_talk talk = { .directory = directory,
				       .name = name,
				       .call = call,
				       .fd = -1 };
	int64_t size;
	int ret;

	if (weir_link_is_attached())
		in.session = weir_link.page->session;
	size = weir_frame_put_complain(call, sizeof(call), &in, NULL, 0);
	if (size < 0)
		return (int)size;
	talk.call_size = (size_t)size;
	ret = weir_link_talk(&talk);
	weir_link_talk_end(&talk);
	return ret;
}

/* Where names mean something else, the service may be there without one. */
static bool is_nobody(int err, uint64_t waited_ns)
{
	return err == -ECONNREFUSED ||
	       (err == -ENOENT &&
		(!weir_self_has_moved() || waited_ns >= NOT_FOUND));
}

/*
 * Without a supervisor the daemon works on, and nobody replaces it. When its
 * socket too is gone, nobody will answer any more.
 */
int weir_link_complain(uint64_t waited_ns)
{
	int ret = complain_at(WEIR_LINK_ABOVE, waited_ns);

	if (is_nobody(ret, waited_ns) && weir_link_is_attached() &&
	    is_nobody(complain_at(WEIR_LINK_DOOR, waited_ns), waited_ns))
		atomic_store(&weir_link.page->dead, 1);
	return ret;
}

void weir_link_forked(void)
{
	weir_self_forked();
}
