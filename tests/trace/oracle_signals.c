/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals in the middle of calls, and calls that are left by a jump. */
#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static char data[64];
static int handler_fd; /* the handlers' own, so that their calls stand out */
static char handler_name[512]; /* book_name has one buffer a thread */
static const char *handler_depth = ""; /* a field, when it is sure */
static atomic_long handled;

static void handle(void (*handler)(int), int signal, int flags)
{
	struct sigaction action = { .sa_handler = handler,
				    .sa_flags = flags };

	sigaction(signal, &action, NULL);
}

static void do_io_in_handler(int signal)
{
	long n = atomic_fetch_add(&handled, 1);
	int err = errno;

	tell("pwrite", pwrite(handler_fd, data, 8, n),
	     "%s,'off':%ld,'size':8%s", handler_name, n, handler_depth);
	tell("pread", pread(999, data, 8, n),
	     "'fd':999,'off':%ld,'size':8%s", n, handler_depth);
	errno = err;
}

static void open_for_handlers(void)
{
	handler_fd = book_do_open("handler", O_RDWR | O_CREAT, 0644);
	snprintf(handler_name, sizeof(handler_name), "%s",
		 book_name(handler_fd));
}

static void do_io(int fd, long i)
{
	long off = i % 512 * 8;

	tell("pwrite", pwrite(fd, data, 8, off), "%s,'off':%ld,'size':8",
	     book_name(fd), off);
	tell("pread", pread(fd, data, (size_t)i % 9, off),
	     "%s,'off':%ld,'size':%ld", book_name(fd), off, i % 9);
}

/* A timer interrupts whatever is going on, `count` times. */
static void play_timer(long count)
{
	struct itimerval often = { { 0, 100 }, { 0, 100 } };
	int fd;

	open_for_handlers();
	fd = book_do_open("file", O_RDWR | O_CREAT, 0644);
	handle(do_io_in_handler, SIGALRM, SA_RESTART);
	setitimer(ITIMER_REAL, &often, NULL);
	for (long i = 0; handled < count; i++)
		do_io(fd, i);
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	book_do_close(fd);
}

static atomic_bool stop;

static void *work_in_storm(void *arg)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "storm-%ld", (long)arg);
	fd = book_do_open(name, O_RDWR | O_CREAT, 0644);
	for (long i = 0; !stop; i++)
		do_io(fd, i);
	book_do_close(fd);
	return NULL;
}

/* Every thread is hit as fast as another can. */
static void play_storm(long count)
{
	pthread_t threads[4];

	open_for_handlers();
	handle(do_io_in_handler, SIGUSR1, SA_RESTART);
	for (long i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work_in_storm, (void *)i);
	for (long i = 0; handled < count; i++) {
		pthread_kill(threads[i % 4], SIGUSR1);
		usleep(20);
	}
	stop = true;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

/* --- calls that are left -------------------------------------------- */

static pid_t sleeper; /* thread that is about to block */

static void await_sleep(void)
{
	char path[64], text[512];
	long fd, n;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", sleeper);
	for (;;) {
		fd = raw_call(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);
		n = raw_call(SYS_read, fd, text, sizeof(text) - 1);
		raw_call(SYS_close, fd);
		text[n > 0 ? n : 0] = 0;
		if (strstr(text, ") S "))
			return;
		sched_yield();
	}
}

static sigjmp_buf out_of_here;
static __thread int pipe_fds[2];

static void jump(int signal)
{
	do_io_in_handler(signal);
	siglongjmp(out_of_here, 1);
}

static void make_pipe(void)
{
	int ret = pipe(pipe_fds);

	tell("pipe", ret, "'args':{'fds':[%d,%d]}", pipe_fds[0], pipe_fds[1]);
	book_stream(pipe_fds[0]);
	book_stream(pipe_fds[1]);
}

static void *signal_when_asleep(void *thread)
{
	await_sleep();
	pthread_kill(*(pthread_t *)thread, SIGUSR1);
	return NULL;
}

/* Blocks in read until SIGUSR1 comes; whether it was left by a jump. */
static bool is_thrown_out(void)
{
	static pthread_t helper; /* which the jump leaves as it is */
	pthread_t self = pthread_self();
	volatile bool jumped = true;

	handler_depth = ",'depth':1"; /* below the read that sleeps */
	sleeper = gettid();
	if (!sigsetjmp(out_of_here, 1)) {
		pthread_create(&helper, NULL, signal_when_asleep, &self);
		book_transfer("read", pipe_fds[0], 8,
			      read(pipe_fds[0], data, 8));
		jumped = false;
	}
	pthread_join(helper, NULL);
	return jumped;
}

static void play_jump(long count)
{
	int fd;

	open_for_handlers();
	fd = book_do_open("file", O_RDWR | O_CREAT, 0644);
	make_pipe();
	handle(jump, SIGUSR1, 0);
	for (long i = 0; i < count; i++) {
		if (!is_thrown_out())
			tell_failure("the read returned");
		tell_entered("read", "%s,'depth':0", book_name(pipe_fds[0]));
		book_transfer("write", fd, 8, write(fd, data, 8));
		do_io(fd, i);
	}
	book_do_close(fd);
}

/* The interrupted read stays open while the handler works. */
static void play_interrupt(long count)
{
	open_for_handlers();
	make_pipe();
	handle(do_io_in_handler, SIGUSR1, 0);
	for (long i = 0; i < count; i++)
		if (is_thrown_out())
			tell_failure("nobody jumped");
}

static void use_signal_stack(void)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };

	if (sigaltstack(&stack, NULL))
		tell_failure("sigaltstack");
	tell_silent("sigaltstack");
	if (prctl(PR_GET_DUMPABLE) < 0 || syscall(SYS_getpid) != getpid())
		tell_failure("prctl or syscall");
	tell_silent("prctl");
	tell_silent("syscall");
}

void __longjmp_chk(sigjmp_buf to, int value) __attribute__((noreturn));

/* Every name of the jump; none is an event. */
static void use_jumps(void)
{
	static const char *const names[] = { "longjmp", "_longjmp",
					     "siglongjmp", "__longjmp_chk" };
	static void (*const jumps[])(sigjmp_buf to, int value) = {
		longjmp, _longjmp, siglongjmp, __longjmp_chk };
	static volatile size_t i;
	static sigjmp_buf to;

	for (i = 0; i < sizeof(jumps) / sizeof(*jumps); i++) {
		if (!sigsetjmp(to, 1))
			jumps[i](to, 1);
		tell_silent(names[i]);
	}
}

/* The same on a signal stack, which may lie anywhere. */
static void play_signal_stack(long count)
{
	int fd;

	use_signal_stack();
	use_jumps();
	open_for_handlers();
	fd = book_do_open("file", O_RDWR | O_CREAT, 0644);
	make_pipe();
	for (long i = 0; i < count; i++) {
		handle(do_io_in_handler, SIGUSR1, SA_ONSTACK);
		if (is_thrown_out())
			tell_failure("nobody jumped");
		do_io(fd, i);
		handle(jump, SIGUSR1, SA_ONSTACK);
		if (!is_thrown_out())
			tell_failure("the read returned");
		tell_entered("read", "%s", book_name(pipe_fds[0]));
		do_io(fd, i);
	}
	book_do_close(fd);
}

static void was_cancelled(void *arg)
{
	tell_entered("read", "%s", book_name(pipe_fds[0]));
	book_do_close(pipe_fds[0]);
}

static void *work_until_cancelled(void *arg)
{
	make_pipe();
	sleeper = gettid();
	pthread_cleanup_push(was_cancelled, NULL);
	book_transfer("read", pipe_fds[0], 8, read(pipe_fds[0], data, 8));
	pthread_cleanup_pop(0);
	return NULL;
}

static void play_cancel(long count)
{
	pthread_t thread;

	for (long i = 0; i < count; i++) {
		sleeper = 0;
		pthread_create(&thread, NULL, work_until_cancelled, NULL);
		while (!*(volatile pid_t *)&sleeper)
			sched_yield();
		await_sleep();
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
}

const struct scenario oracle_signals[] = {
	{ "timer", play_timer },         { "storm", play_storm },
	{ "jump", play_jump },           { "interrupt", play_interrupt },
	{ "signal-stack", play_signal_stack }, { "cancel", play_cancel },
	{ NULL, NULL },
};
