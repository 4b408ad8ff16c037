/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the daemon's first thread, which never does what may take time. */
#include "serve/daemon/daemon.h"

#include "serve/daemon/attached.h"
#include "serve/daemon/request.h"
#include "serve/daemon/startnotice.h"
#include "serve/daemon/upkeep.h"
#include "serve/state/channel.h"
#include "serve/state/runtime.h"
#include "serve/state/setup.h"
#include "serve/state/state.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MOST_CONNECTIONS 256
#define MOST_EVENTS 64
#define BEAT	    1 /* second: to look at what only the clock tells */

/* What an event is about: the upper half says, the lower half which. */
enum about { DOOR, ABOVE, SIGNALS, CLOCK, UPKEEP, CONNECTION, PROGRAM };

static struct {
	struct weir_daemon_door door;
	int events, signals, clock;
	struct weir_connections connections;
	bool is_beating; /* the clock is wound */
	bool retires;	 /* ends when nobody uses it */
	bool is_orphan;
} own;

static int watch(int fd, enum about about, uint32_t which)
{
	struct epoll_event event = {
		.events = EPOLLIN,
		.data.u64 = (uint64_t)about << 32 | which,
	};

	return epoll_ctl(own.events, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* Without anything to look at it stands still: an idle service sleeps. */
static void set_clock(bool beats)
{
	struct itimerspec time = {
		.it_interval.tv_sec = beats ? BEAT : 0,
		.it_value.tv_sec = beats ? BEAT : 0,
	};

	if (beats == own.is_beating)
		return;
	timerfd_settime(own.clock, 0, &time, NULL);
	own.is_beating = beats;
}

static void tell_above(enum weir_channel_word word, uint32_t index)
{
	struct weir_channel_note note = {.word = word, .index = index};

	weir_channel_send(own.door.above, &note, -1);
}

static void __attribute__((noreturn)) leave(void)
{
	if (own.is_orphan) {
		weir_startnotice_tell(own.door.report, 0, 0);
		weir_runtime_remove(weir_setup_used->place);
	}
	_exit(0);
}

/*
 * One that is known already has become another program: the session of the one
 * before has ended. Of one in another namespace nobody tells us when it ends.
 */
static void watch_program(pid_t pid)
{
	int fd = -1, err = pid > 0 ? weir_attached_add(pid, &fd) : -ESRCH;

	if (fd >= 0) {
		watch(fd, PROGRAM, (uint32_t)pid);
		return;
	}
	if (err)
		weir_upkeep_look(pid);
	else
		weir_upkeep_stir();
	set_clock(true);
}

/* Those that attached before we were there. */
static void watch_programs(void)
{
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		if (atomic_load(&weir_state->sessions[i].live))
			watch_program(weir_state->sessions[i].pid);
}

static void open_door(void)
{
	if (own.door.log >= 0)
		dup2(own.door.log, STDERR_FILENO);
	watch_programs();
	watch(own.door.listening, DOOR, 0);
	tell_above(WEIR_CHANNEL_READY, 0);
}

/* Who goes without a word has changed its mind. */
static void turn_away(struct weir_connection *connection, int err)
{
	if (err != -ECONNRESET || connection->used)
		atomic_fetch_add(&weir_state->refused, 1);
	weir_connection_end(connection);
}

/*
 * Who comes while we end waits for that, as nobody would store what it writes:
 * it is not answered, and finds nobody there when all is stored.
 */
static bool comes_too_late(const struct weir_connection *connection)
{
	return weir_upkeep_is_ending() && weir_request_is_attach(connection);
}

static void hear(struct weir_connection *connection, bool is_new)
{
	int heard = weir_connection_hear(connection);
	pid_t pid;

	if (heard > 0 && comes_too_late(connection))
		heard = 0;
	if (heard < 0)
		turn_away(connection, heard);
	else if (heard && weir_request_answer(connection, &pid))
		watch_program(pid);
	else if (!heard && is_new)
		watch(connection->fd, CONNECTION,
		      (uint32_t)(connection - own.connections.all));
	if (!heard)
		set_clock(true);
}

static void welcome(void)
{
	struct weir_connection *connection;

	while ((connection = weir_connection_accept(&own.connections,
						    own.door.listening)))
		hear(connection, true);
}

static void retire(void)
{
	own.retires = true;
	weir_upkeep_settle();
	set_clock(true);
}

/* Whoever would start another daemon has gone: this is the last one. */
static void become_orphan(void)
{
	epoll_ctl(own.events, EPOLL_CTL_DEL, own.door.above, NULL);
	own.is_orphan = true;
	retire();
}

static void hear_above(void)
{
	struct weir_channel_note note;
	int fd, err;

	while (!(err = weir_channel_receive(own.door.above, &note, &fd))) {
		if (note.word == WEIR_CHANNEL_PING)
			tell_above(WEIR_CHANNEL_PONG, 0);
		else if (note.word == WEIR_CHANNEL_RETIRE)
			retire();
		else if (note.word == WEIR_CHANNEL_END)
			weir_upkeep_end();
	}
	if (err == -EPIPE)
		become_orphan();
}

static void hear_signals(void)
{
	struct signalfd_siginfo info;

	while (read(own.signals, &info, sizeof(info)) == sizeof(info))
		weir_upkeep_end();
}

/*
 * All is stored; who is still there? Nobody comes between this look and the
 * end: who attaches is heard by this thread.
 */
static void have_settled(uint32_t sessions)
{
	if (!sessions)
		weir_upkeep_end();
	else if (own.retires)
		tell_above(WEIR_CHANNEL_STILL, sessions);
}

static void hear_upkeep(void)
{
	struct weir_upkeep_news news = weir_upkeep_hear();

	if (news.failed)
		_exit(1);
	if (news.begun)
		open_door();
	if (news.settled)
		have_settled(news.sessions);
	if (news.ended)
		leave();
}

static void beat(void)
{
	uint64_t ticks;
	bool more = weir_connection_expire(&own.connections);

	if (read(own.clock, &ticks, sizeof(ticks)) < 0)
		return;
	if (own.retires)
		weir_upkeep_settle();
	if (!weir_upkeep_sweep() && !more && !own.retires)
		set_clock(false);
}

static void hear_program(pid_t pid)
{
	weir_attached_remove(pid);
	weir_upkeep_look(pid);
	set_clock(true);
}

static void handle(const struct epoll_event *event)
{
	uint32_t which = (uint32_t)event->data.u64;
	static void (*const handlers[])(void) = {
		[DOOR] = welcome, [ABOVE] = hear_above,
		[SIGNALS] = hear_signals, [CLOCK] = beat,
		[UPKEEP] = hear_upkeep,
	};
	enum about about = (enum about)(event->data.u64 >> 32);

	if (about == PROGRAM)
		hear_program((pid_t)which);
	else if (about == CONNECTION && own.connections.all[which].fd >= 0)
		hear(&own.connections.all[which], false);
	else if (about < CONNECTION)
		handlers[about]();
}

static int begin_events(void)
{
	sigset_t set;
	int err = weir_connection_begin(&own.connections, MOST_CONNECTIONS);

	if (err)
		return err;
	/* somebody comes to a file while we have it leased: he waits */
	signal(SIGIO, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	own.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	own.clock = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	own.events = epoll_create1(EPOLL_CLOEXEC);
	if (own.signals < 0 || own.clock < 0 || own.events < 0)
		return -errno;
	err = watch(own.signals, SIGNALS, 0);
	if (!err)
		err = watch(own.clock, CLOCK, 0);
	if (!err)
		err = watch(own.door.above, ABOVE, 0);
	return err;
}

static int begin_upkeep(void)
{
	int fd, err = weir_upkeep_begin(&fd);

	return err ? err : watch(fd, UPKEEP, 0);
}

void weir_daemon_run(const struct weir_daemon_door *door)
{
	struct epoll_event events[MOST_EVENTS];
	int count, err;

	own.door = *door;
	err = begin_events();
	if (!err)
		err = begin_upkeep();
	if (err) {
		dprintf(STDERR_FILENO, "weir: the daemon cannot begin: %s\n",
			strerror(-err));
		_exit(1);
	}
	for (;;) {
		count = epoll_wait(own.events, events, MOST_EVENTS, -1);
		for (int i = 0; i < count; i++)
			handle(&events[i]);
	}
}
