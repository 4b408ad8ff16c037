/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks after daemons. A dead daemon writes nothing any more:
 * only when the kernel has said that one is dead is another one started, which
 * takes over all that the dead one had been told.
 */
#include "serve/supervisor/supervise.h"

#include "base/clock.h"
#include "serve/daemon/connection.h"
#include "serve/daemon/daemon.h"
#include "serve/daemon/startnotice.h"
#include "serve/daemon/upkeep.h"
#include "serve/state/channel.h"
#include "serve/state/keptfds.h"
#include "serve/state/runtime.h"
#include "serve/state/state.h"
#include "serve/supervisor/abandoned.h"
#include "spec/forward.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS	    UINT64_C(1000000)
#define QUICK	    (1000 * MS) /* who lives shorter has done nothing */
#define MOST_QUICK  5
#define MOST_CONNECTIONS 16
#define MOST_ENDERS 8
#define RESCUE_MS   30000 /* for what others could not store */
#define MARGIN	    64 /* descriptors for ourselves */

enum watched { SIGNALS, LIFE, CHANNEL, KEPT, ABOVE, CONNECTIONS };

static struct {
	struct weir_supervise_order order;
	int signals, channel, holds;
	pid_t daemon;
	uint64_t started; /* this daemon */
	unsigned quick; /* daemons, one after the other, that did nothing */
	uint64_t patience; /* till then it is to answer; 0: not asked */
	uint64_t again; /* when to ask again; 0: when somebody complains */
	uint32_t told; /* what it was told to do: enum weir_channel_word */
	bool is_ready, is_reported;
	struct weir_connections connections;
	int enders[MOST_ENDERS]; /* who asked for the end, and waits for it */
	unsigned ender_count;
} own;

static uint64_t time_now(void)
{
	return weir_clock_ns(CLOCK_MONOTONIC);
}

static void report_end(int err, uint32_t sessions)
{
	if (own.is_reported)
		return;
	weir_startnotice_tell(own.order.report, err, sessions);
	own.is_reported = true;
}

static void answer_enders(int status)
{
	unsigned char frame[WEIR_FRAME_SMALL];
	int64_t size = weir_frame_refuse(frame, sizeof(frame), WEIR_OP_STOP,
					 status);

	for (unsigned i = 0; i < own.ender_count; i++)
		weir_connection_say(&(struct weir_connection_answer){
			.fd = own.enders[i],
			.bytes = frame,
			.size = (size_t)size,
		});
}

static void __attribute__((noreturn)) end(int err)
{
	report_end(err, 0);
	weir_runtime_remove(own.order.setup->place);
	answer_enders(err);
	_exit(err ? 1 : 0);
}

/* Nobody will answer it any more. */
static void mark_dead(uint32_t number)
{
	int fd = weir_keptfds_inherited(WEIR_KEPTFDS_SESSION, number);
	size_t size = weir_session_heads_at();
	struct weir_session_slot *slots;
	struct weir_session_page *page;

	if (fd < 0)
		return;
	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return;
	atomic_store(&page->dead, 1);
	slots = (void *)((char *)page + weir_session_slots_at());
	for (uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++)
		syscall(SYS_futex, &slots[i].state, FUTEX_WAKE, INT32_MAX, NULL,
			NULL, 0);
	atomic_fetch_add(&page->room, 1);
	syscall(SYS_futex, &page->room, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
	munmap(page, size);
}

/* What is ours and not the daemon's. */
static void let_go_of_all(void)
{
	close(own.signals);
	close(own.order.above);
	if (own.order.life >= 0)
		close(own.order.life);
	for (uint32_t i = 0; i < own.connections.count; i++)
		if (own.connections.all[i].fd >= 0)
			weir_connection_end(&own.connections.all[i]);
	for (unsigned i = 0; i < own.ender_count; i++)
		close(own.enders[i]);
}

/* By a process of its own, which may die like all those before it. */
static void rescue(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		let_go_of_all();
		weir_upkeep_rescue();
		_exit(0);
	}
	for (int i = 0; child > 0 && i < RESCUE_MS; i++) {
		if (waitpid(child, &status, WNOHANG))
			return;
		poll(NULL, 0, 1);
	}
	if (child > 0)
		kill(child, SIGKILL);
}

static void __attribute__((noreturn)) give_up(int err)
{
	dprintf(STDERR_FILENO, "weir: the daemon cannot be kept alive; giving "
		"up\n");
	for (uint32_t i = 0; i < WEIR_STATE_SESSIONS; i++)
		mark_dead(i);
	weir_abandoned_tell();
	rescue();
	end(err);
}

/* What a daemon can open, its supervisor can hold for the next one. */
static void lower_limits(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur < 2 * MARGIN)
		return;
	files.rlim_cur -= MARGIN;
	setrlimit(RLIMIT_NOFILE, &files);
}

static void __attribute__((noreturn)) serve(int above, int holds)
{
	let_go_of_all();
	lower_limits();
	close(own.channel);
	close(own.holds);
	prctl(PR_SET_NAME, "weir-serve");
	/* one that somebody has stopped goes on: nobody will replace it */
	prctl(PR_SET_PDEATHSIG, SIGCONT);
	weir_keptfds_begin(holds);
	weir_daemon_run(&(struct weir_daemon_door){
		.listening = own.order.door,
		.above = above,
		.holds = holds,
		.report = own.order.report,
		.log = own.order.log,
	});
}

static void send_word(enum weir_channel_word word)
{
	struct weir_channel_note note = {.word = word};

	weir_channel_send(own.channel, &note, -1);
}

static int start_daemon(void)
{
	int channel[2], holds[2], err = weir_channel_make(channel);

	if (err)
		return err;
	err = weir_channel_make(holds);
	if (err) {
		close(channel[0]);
		close(channel[1]);
		return err;
	}
	own.channel = channel[0];
	own.holds = holds[0];
	weir_state->epoch++;
	own.daemon = fork();
	if (!own.daemon)
		serve(channel[1], holds[1]);
	err = own.daemon < 0 ? -errno : 0;
	close(channel[1]);
	close(holds[1]);
	own.started = time_now();
	own.patience = 0;
	if (!err && own.told)
		send_word(own.told);
	return err;
}

/* What it is asked in any case while it is to end: nobody else would. */
static void ask_daemon(void)
{
	own.again = 0;
	if (own.patience || own.daemon <= 0)
		return;
	send_word(WEIR_CHANNEL_PING);
	own.patience = time_now() + own.order.setup->answer_ms * MS;
}

static void tell_daemon(enum weir_channel_word word)
{
	if (own.told == WEIR_CHANNEL_END || own.told == word)
		return;
	own.told = word;
	send_word(word);
	ask_daemon();
}

static void hear_keep(const struct weir_channel_note *note, int fd)
{
	weir_keptfds_replace(note->kind, note->index, fd);
	if (note->word == WEIR_CHANNEL_DROP && note->serial)
		weir_channel_send(own.holds, note, -1);
}

/* All that it has sent; also when it is dead. */
static void hear_holds(void)
{
	struct weir_channel_note note;
	int fd;

	while (!weir_channel_receive(own.holds, &note, &fd))
		hear_keep(&note, fd);
}

static void become_ready(void)
{
	if (own.is_ready)
		return;
	own.is_ready = true;
	weir_startnotice_tell(own.order.report, 0, 0);
	if (own.order.log >= 0)
		dup2(own.order.log, STDERR_FILENO);
}

static void hear_daemon(void)
{
	struct weir_channel_note note;
	int fd;

	while (!weir_channel_receive(own.channel, &note, &fd)) {
		if (note.word == WEIR_CHANNEL_PONG) {
			own.patience = 0;
			own.again = own.told ? time_now() + 1000 * MS : 0;
		} else if (note.word == WEIR_CHANNEL_READY) {
			become_ready();
		} else if (note.word == WEIR_CHANNEL_STILL) {
			report_end(0, note.index);
		}
	}
}

/*
 * It did something, or lived long enough to have had the chance. It has noted
 * itself when it had taken over: that it was ready we may hear late, or now.
 */
static bool was_useful(void)
{
	bool is_up = atomic_load(&weir_state->up) == weir_state->epoch;

	return time_now() - own.started > QUICK ||
	       (is_up &&
		weir_state_work() != atomic_load(&weir_state->inherited));
}

static void replace_daemon(int status)
{
	dprintf(STDERR_FILENO, "weir: the daemon ended with %s %d; starting "
		"another\n", WIFSIGNALED(status) ? "signal" : "status",
		WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	own.quick = was_useful() ? 0 : own.quick + 1;
	if (own.quick >= MOST_QUICK)
		give_up(-EIO);
	close(own.channel);
	close(own.holds);
	if (start_daemon())
		give_up(-EAGAIN);
}

static void see_end_of_daemon(void)
{
	int status;

	if (own.daemon <= 0 ||
	    waitpid(own.daemon, &status, WNOHANG) != own.daemon)
		return;
	own.daemon = -1;
	hear_daemon();
	hear_holds();
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		end(0);
	if (!own.is_ready)
		end(-ECHILD);
	replace_daemon(status);
}

static void hear_signals(void)
{
	struct signalfd_siginfo info;

	while (read(own.signals, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo == SIGTERM)
			tell_daemon(WEIR_CHANNEL_END);
	see_end_of_daemon();
}

static int take_complaint(struct weir_connection *connection)
{
	struct weir_op_complain_in in;
	int err = weir_frame_get_complain(connection->bytes, connection->used,
					  &in, NULL, NULL);

	if (!err)
		ask_daemon();
	return err;
}

/* Answered when it is over. */
static int take_stop(struct weir_connection *connection)
{
	struct weir_op_stop_in in;
	int err = weir_frame_get_stop(connection->bytes, connection->used, &in,
				      NULL, NULL);

	if (err)
		return err;
	if (own.ender_count == MOST_ENDERS)
		return -EBUSY;
	tell_daemon(in.now ? WEIR_CHANNEL_END : WEIR_CHANNEL_RETIRE);
	own.enders[own.ender_count++] = weir_connection_leave(connection);
	return 0;
}

static void answer_connection(struct weir_connection *connection)
{
	struct weir_frame head;
	unsigned char frame[WEIR_FRAME_SMALL];
	int status =
		weir_frame_check(connection->bytes, connection->used, &head);

	if (!status && head.op == WEIR_OP_STOP)
		status = take_stop(connection);
	else if (!status)
		status = take_complaint(connection);
	if (connection->fd < 0)
		return;
	weir_connection_say(&(struct weir_connection_answer){
		.fd = connection->fd,
		.bytes = frame,
		.size = (size_t)weir_frame_refuse(frame, sizeof(frame), head.op,
						  status),
	});
	weir_connection_end(connection);
}

static void hear(struct weir_connection *connection)
{
	int heard = weir_connection_hear(connection);

	if (heard < 0)
		weir_connection_end(connection);
	else if (heard)
		answer_connection(connection);
}

static void welcome(void)
{
	struct weir_connection *connection;

	while ((connection = weir_connection_accept(&own.connections,
						    own.order.above)))
		hear(connection);
}

/* Milliseconds to the next thing to do by the clock; -1: there is none. */
static int next_time(bool has_connections)
{
	uint64_t when = UINT64_MAX, time = time_now();

	if (own.patience)
		when = own.patience;
	if (own.again && own.again < when)
		when = own.again;
	if (has_connections && time + WEIR_CONNECTION_TIME < when)
		when = time + WEIR_CONNECTION_TIME;
	if (when == UINT64_MAX)
		return -1;
	return when <= time ? 0 : (int)((when - time) / MS + 1);
}

/* It does not answer: only a dead one certainly writes nothing. */
static void lose_patience(void)
{
	if (own.patience && own.patience <= time_now()) {
		own.patience = 0;
		dprintf(STDERR_FILENO, "weir: the daemon does not answer; it "
			"is replaced\n");
		kill(own.daemon, SIGKILL);
	}
	if (own.again && own.again <= time_now())
		ask_daemon();
}

static void watch(struct pollfd *fds)
{
	const int always[] = {
		[SIGNALS] = own.signals,   [LIFE] = own.order.life,
		[CHANNEL] = own.channel,   [KEPT] = own.holds,
		[ABOVE] = own.order.above,
	};

	for (int i = 0; i < CONNECTIONS; i++)
		fds[i] = (struct pollfd){always[i], POLLIN, 0};
	for (uint32_t i = 0; i < own.connections.count; i++)
		fds[CONNECTIONS + i] =
			(struct pollfd){own.connections.all[i].fd, POLLIN, 0};
}

/* A dead daemon's end of a channel is readable until its end is seen. */
static void pause_channels(struct pollfd *fds)
{
	for (int i = CHANNEL; i <= KEPT; i++)
		if (fds[i].revents & POLLHUP)
			poll(NULL, 0, 1);
}

static void turn(void)
{
	struct pollfd fds[CONNECTIONS + MOST_CONNECTIONS];
	bool has_connections = weir_connection_expire(&own.connections);

	watch(fds);
	if (poll(fds, CONNECTIONS + own.connections.count,
		 next_time(has_connections)) < 0)
		return;
	if (fds[CHANNEL].revents)
		hear_daemon();
	if (fds[KEPT].revents)
		hear_holds();
	if (fds[LIFE].revents) {
		close(own.order.life);
		own.order.life = -1;
		tell_daemon(WEIR_CHANNEL_RETIRE);
	}
	for (uint32_t i = 0; i < own.connections.count; i++)
		if (fds[CONNECTIONS + i].revents)
			hear(&own.connections.all[i]);
	if (fds[ABOVE].revents)
		welcome();
	lose_patience();
	hear_signals();
	pause_channels(fds);
}

/* Each file that a program has open is one of ours too. */
static void raise_limits(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

static int begin_supervision(void)
{
	sigset_t set;
	int err = weir_state_make(weir_op_interface,
				  own.order.setup->place);

	if (!err)
		err = weir_connection_begin(&own.connections, MOST_CONNECTIONS);
	if (err)
		return err;
	weir_state_name(own.order.setup->place);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	own.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return own.signals < 0 ? -errno : start_daemon();
}

void weir_supervise(const struct weir_supervise_order *order)
{
	int err;

	own.order = *order;
	weir_setup_used = order->setup;
	raise_limits();
	err = begin_supervision();
	if (err)
		end(err);
	for (;;)
		turn();
}
