/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way to make a process, to become another, and to end. */
#include "actor.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void as_child(int number)
{
	_exit(actor_file("child", number, "a child's file\n") ? 1 : number);
}

static int clone_body(void *arg)
{
	return actor_file("child", 4, "of clone\n") ? 1 : 4;
}

/* fork, vfork, raw fork, clone, posix_spawn, system and popen. */
static int make_processes(int argc, char **argv)
{
	static char stack[64 << 10] __attribute__((aligned(64)));
	char *command[] = {"sh", "-c", "echo spawned; exit 5", NULL};
	char line[64] = "";
	FILE *stream;
	int pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		as_child(1);
	actor_reap("fork", pid);
	pid = vfork();
	if (!pid)
		_exit(2);
	actor_reap("vfork", pid);
	pid = (int)syscall(SYS_fork);
	if (!pid)
		as_child(3);
	actor_reap("raw fork", pid);
	pid = clone(clone_body, stack + sizeof(stack), SIGCHLD, NULL);
	actor_reap("clone", pid);
	if (posix_spawnp(&pid, "sh", NULL, NULL, command, environ))
		return 1;
	actor_reap("posix_spawn", pid);
	printf("system: %d\n", WEXITSTATUS(system("exit 6")));
	stream = popen("echo through a pipe", "r");
	printf("popen: %s", stream ? fgets(line, sizeof(line), stream) : "");
	printf("pclose: %d\n", stream ? pclose(stream) : -1);
	actor_tell("wait", wait(NULL));
	return 0;
}

/* The same program again and again, each with one argument less. */
static int go_on(int argc, char **argv)
{
	char self[4096], name[32];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *next[] = {"actor", "chain", argv[1], argv[2], NULL};
	char *bare[] = {"BARE=yes", NULL};
	int left = argc > 1 ? atoi(argv[1]) : 0;

	if (n <= 0 || actor_file("link", left, argc > 2 ? argv[2] : ""))
		return 1;
	self[n] = '\0';
	if (!left) {
		printf("end of the chain, BARE is %s\n", getenv("BARE") ?: "");
		return 7;
	}
	snprintf(name, sizeof(name), "%d", left - 1);
	next[2] = name;
	if (left % 3 == 0)
		execv(self, next);
	else if (left % 3 == 1)
		fexecve(open(self, O_RDONLY | O_CLOEXEC), next, environ);
	else if (argc > 2 && !strcmp(argv[2], "bare"))
		execve(self, next, bare);
	else
		execvp(self, next);
	return 1;
}

/* Twice forked, no descriptor, no directory, no terminal. */
static int daemonise(int argc, char **argv)
{
	char place[4096];

	if (!getcwd(place, sizeof(place) - 16))
		return 1;
	strcat(place, "/daemon");
	if (fork())
		_exit(0);
	setsid();
	if (fork())
		_exit(0);
	if (chdir("/"))
		_exit(1);
	umask(0);
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
	for (int i = 0; i < 20; i++) {
		if (actor_file(place, i % 4, "the daemon works\n"))
			_exit(1);
		usleep(2000);
	}
	exit(0);
}

/* A child that goes on when the command has ended. */
static int leave_child(int argc, char **argv)
{
	printf("leaving\n");
	fflush(stdout);
	if (fork())
		return 3;
	usleep(100000);
	return actor_file("orphan", 1, "later\n");
}

static int die_by(int argc, char **argv)
{
	if (argc < 2 || actor_file("dying", 1, "last words\n"))
		return 1;
	raise(atoi(argv[1]));
	return 9;
}

static void on_exit_write(void)
{
	actor_file("goodbye", 1, "at exit\n");
}

static void on_signal(int number)
{
	actor_put(1, "in the handler\n");
	exit(4);
}

/* exit, with its handlers, out of a signal's handler. */
static int exit_in_handler(int argc, char **argv)
{
	atexit(on_exit_write);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	return 1;
}

const struct actor actor_processes[] = {
	{"processes", make_processes},
	{"chain", go_on},
	{"daemon", daemonise},
	{"leave-child", leave_child},
	{"die", die_by},
	{"exit-in-handler", exit_in_handler},
	{NULL, NULL},
};
