/* SPDX-License-Identifier: BSD-3-Clause */
/* Forks of every kind by the thousand, chains of exec, ways to end. */
#include "storm.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOISE 4
#define DONE_FORK  0
#define DONE_VFORK 1
#define DONE_SPAWN 2
#define DONE_EXEC  3
#define DONE_END   4

static int shared;

static void reap(int pid, int expected)
{
	int status = -1;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	tally_check(status == expected);
}

static void fork_once(long n)
{
	int pid = fork();

	tally_check(pid >= 0);
	if (!pid) {
		storm_touch(shared, n);
		tally_check(!tally_close(shared));
		_exit((int)(n % 100));
	}
	tally_do(DONE_FORK);
	reap(pid, (int)(n % 100) << 8);
}

static char *leaf[] = {storm_self, "leaf", "1", storm_page, NULL};

/* Every other child execs; all do what such children do before. */
static void vfork_once(long n)
{
	int pid;

	tally_make(TALLY_vfork);
	pid = vfork();
	if (!pid) {
		tally_dup2(shared, 40);
		tally_close(shared);
		if (n % 20 == 0)
			execv(leaf[0], leaf);
		_exit(7);
	}
	tally_return(TALLY_vfork);
	tally_do(DONE_VFORK);
	tally_check(pid > 0);
	reap(pid, n % 20 ? 7 << 8 : 0);
}

static void spawn_once(void)
{
	int pid = tally_spawn(leaf);

	tally_do(DONE_SPAWN);
	tally_check(pid > 0);
	reap(pid, 0);
}

/* What a spawned or executed program does: little. */
static int be_leaf(long count, char **argv)
{
	int fd = tally_openfile("/dev/zero", O_RDONLY);
	char byte = 1;

	tally_check(tally_read(fd, &byte, 1) == 1 && !byte);
	tally_check(!tally_close(fd));
	_exit(0);
}

static int make_processes(long count, char **argv)
{
	struct storm_noise noise;

	shared = tally_openfile("shared", O_RDWR | O_CREAT | O_TRUNC);
	storm_start_noise(&noise, NOISE);
	for (long n = 0; n < count; n++) {
		if (n % 10 < 6)
			fork_once(n);
		else if (n % 10 < 9)
			vfork_once(n);
		else
			spawn_once();
	}
	storm_stop_noise(&noise);
	tally_check(!tally_close(shared));
	tally_check(waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
	return 0;
}

/* COUNT programs one after the other in one process. */
static int exec_chain(long count, char **argv)
{
	char left[24];
	char *next[] = {storm_self, "execs", left, storm_page, NULL};
	int fd = tally_openfile("chain", O_RDWR | O_CREAT | O_APPEND);

	tally_check(tally_write(fd, "x", 1) == 1);
	tally_check(!tally_close(fd));
	if (count <= 1)
		return 0;
	tally_do(DONE_EXEC);
	snprintf(left, sizeof(left), "%ld", count - 1);
	execv(next[0], next);
	return 1;
}

static void last_words(void)
{
	storm_touch(shared, 1);
}

static void on_signal(int number)
{
	storm_touch(shared, 2);
	exit(3);
}

static void *leave_by_exit(void *arg)
{
	storm_touch(shared, 3);
	exit(3);
}

/* All ways to end, with I/O in the handlers that run then. */
static void end_somehow(long n)
{
	pthread_t thread;

	atexit(last_words);
	switch (n % 6) {
	case 0:
		exit(3);
	case 1:
		signal(SIGUSR1, on_signal);
		raise(SIGUSR1);
		break;
	case 2:
		pthread_create(&thread, NULL, leave_by_exit, NULL);
		pthread_join(thread, NULL);
		break;
	case 3:
		at_quick_exit(last_words);
		quick_exit(3);
	case 4:
		storm_touch(shared, 4);
		_exit(3);
	case 5:
		pthread_create(&thread, NULL, leave_by_exit, NULL);
		pthread_exit(NULL);
	}
}

static int end_often(long count, char **argv)
{
	struct storm_noise noise;

	shared = tally_openfile("shared", O_RDWR | O_CREAT | O_TRUNC);
	storm_start_noise(&noise, NOISE);
	for (long n = 0; n < count; n++) {
		int pid = fork();

		if (!pid)
			end_somehow(n);
		tally_do(DONE_END);
		reap(pid, 3 << 8);
	}
	storm_stop_noise(&noise);
	return tally_close(shared);
}

const struct storm storm_processes[] = {
	{"processes", make_processes},
	{"leaf", be_leaf},
	{"execs", exec_chain},
	{"ends", end_often},
	{NULL, NULL},
};
