/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes: every way to make one, and to become another program. */
#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t __vfork(void);
pid_t __wait(int *status);
pid_t __waitpid(pid_t pid, int *status, int options);

extern char **environ;
static char data[64];

static void do_write(int fd)
{
	book_transfer("write", fd, 10, write(fd, data, 10));
}

static void await(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		tell_failure("a child failed");
}

/* What each process does; the number makes its file unique. */
static void work(const char *name)
{
	int fd = book_do_open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

	do_write(fd);
	do_write(fd);
	book_do_close(fd);
}

static void play_work(long count)
{
	char name[64];

	snprintf(name, sizeof(name), "work-%ld-%d", count, getpid());
	work(name);
}

/* Behind fork, both sides share every position. */
static pid_t do_fork(void)
{
	pid_t pid = fork();

	book_share(false);
	return pid;
}

static void play_fork(long count)
{
	int fd = book_do_open("before", O_RDWR | O_CREAT, 0644);
	pid_t pid;

	do_write(fd);
	for (long i = 0; i < count; i++) {
		pid = do_fork();
		if (!pid) {
			do_write(fd);
			tell("lseek", lseek(fd, 0, SEEK_CUR),
			     "%s,'off':0,'args':{'whence':1}", book_name(fd));
			do_write(fd);
			play_work(i);
			pid = do_fork(); /* fork of fork */
			if (!pid) {
				play_work(i);
				_exit(0);
			}
			await(pid);
			exit(0);
		}
		do_write(fd);
		await(pid);
		do_write(fd);
	}
	work("after");
	book_do_close(fd);
}

/* A child that nobody waits for: the middle one ends at once. */
static void play_daemon(long count)
{
	int p[2];
	pid_t pid;
	char end;

	if (raw_call(SYS_pipe2, p, 0))
		tell_failure("pipe");
	pid = do_fork();
	if (!pid) {
		raw_call(SYS_close, p[0]);
		setsid();
		if (do_fork())
			_exit(0);
		play_work(7);
		_exit(0);
	}
	await(pid);
	raw_call(SYS_close, p[1]);
	raw_call(SYS_read, p[0], &end, 1); /* until the daemon has ended */
	work("parent");
}

static void play_raw(long count)
{
	int fd = book_do_open("before", O_RDWR | O_CREAT, 0644);
	long pid;

	do_write(fd);
	for (long i = 0; i < count; i++) {
		pid = i % 2 ? syscall(SYS_fork)
			    : syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
		if (!pid) {
			book_share(false);
			play_work(i);
			/* Explicit offsets need no idea of the position. */
			tell("pread", pread(fd, data, 5, 3),
			     "%s,'off':3,'size':5", book_name(fd));
			syscall(SYS_exit_group, 0);
		}
		await((pid_t)pid);
		book_doubt(fd, 0);
		do_write(fd);
	}
}

static char *child_args[] = { NULL, NULL, "work", "1", NULL };

static char **child_command(void)
{
	child_args[0] = (char *)oracle_self;
	child_args[1] = (char *)tell_log();
	return child_args;
}

/* `what` is the field that names the program. */
static void told_spawn(const char *symbol, const char *what, int err)
{
	tell_errnum(symbol, err, "%s", what);
	book_share(true);
}

static void spawn_by_path(const char *path, bool waits)
{
	char what[600];
	pid_t pid;
	int err = posix_spawn(&pid, path, NULL, NULL, child_command(),
			      environ);

	snprintf(what, sizeof(what), "'path':'%s'", path);
	told_spawn("posix_spawn", what, err);
	if (waits)
		await(pid);
}

static void spawn_by_name(const char *name, bool waits)
{
	char what[600];
	pid_t pid;
	int err = posix_spawnp(&pid, name, NULL, NULL, child_command(),
			       environ);

	snprintf(what, sizeof(what), "'args':{'file':'%s'}", name);
	told_spawn("posix_spawnp", what, err);
	if (waits)
		await(pid);
}

static void play_spawn(long count)
{
	int kept = book_do_open("kept", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	int given = book_do_open("given", O_RDWR | O_CREAT, 0644);

	do_write(kept);
	do_write(given);
	spawn_by_path(oracle_self, true);
	do_write(kept);
	do_write(given);
	spawn_by_name(oracle_self, true);
	spawn_by_path("/no/such", false);
	spawn_by_name("no-such-at-all", false);
	do_write(kept);
}

/* The shell is not recorded, what it starts is. */
static const char *shell_command(void)
{
	static char text[4096];
	const char *preload = getenv("LD_PRELOAD");

	snprintf(text, sizeof(text), "LD_PRELOAD=%s exec %s %s work 2",
		 preload ? preload : "", oracle_self, tell_log());
	return text;
}

static void play_shell(long count)
{
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);
	const char *command = shell_command();
	FILE *stream;
	int ret;

	do_write(fd);
	unsetenv("LD_PRELOAD");
	ret = system(command);
	tell("system", ret, "'args':{'command':'%s'}", command);
	book_share(true);
	do_write(fd);
	ret = system("exit 3");
	tell("system", ret, "'args':{'command':'exit 3'}");
	stream = popen(command, "r");
	tell("popen", stream ? stream->_fileno : -1,
	     "'args':{'command':'%s','mode':'r'}", command);
	ret = pclose(stream);
	tell("pclose", ret, NO_FIELDS);
	stream = popen("true", "x");
	if (stream)
		tell_failure("popen took a wrong mode");
	tell_errnum("popen", errno, "'args':{'command':'true','mode':'x'}");
	do_write(fd);
}

static pid_t own_pid, own_tid;

/* Runs in the memory of the parent, and is recorded there. */
static void vfork_child(int fd, int spare)
{
	tell_as(own_pid, own_tid);
	tell("dup2", dup2(fd, spare), "'fd':%d,'vfork':true,"
	     "'args':{'to':%d}", fd, spare);
	tell("close", close(fd), "'fd':%d,'vfork':true", fd);
	tell("write", write(spare, data, 3),
	     "'fd':%d,'off':null,'size':3,'vfork':true", spare);
	execv(oracle_self, child_command());
	_exit(1);
}

static void play_vfork(long count)
{
	int fd = book_do_open("file", O_RDWR | O_CREAT, 0644);
	int mine = book_do_open("mine", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	volatile pid_t pid;

	own_pid = getpid();
	own_tid = gettid();
	do_write(fd);
	do_write(mine);
	pid = vfork();
	if (!pid)
		vfork_child(fd, 700);
	tell_as(0, 0);
	tell("vfork", pid, NO_FIELDS);
	book_share(true);
	await(pid);
	do_write(fd);
	do_write(mine);
	pid = __vfork();
	if (!pid)
		_exit(0);
	tell("__vfork", pid, NO_FIELDS);
	await(pid);
	do_write(mine);
	book_do_close(fd);
}

/* The same process becomes one program after another. */
static void play_exec(long count)
{
	char number[32];
	char *args[] = { (char *)oracle_self, (char *)tell_log(), "exec",
			 number, NULL };

	play_work(count);
	if (count <= 0)
		return;
	snprintf(number, sizeof(number), "%ld", count - 1);
	execv(oracle_self, args);
	tell_failure("exec");
}

static atomic_bool stop;

static void *work_until_stopped(void *arg)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "busy-%ld", (long)arg);
	fd = book_do_open(name, O_RDWR | O_CREAT, 0644);
	for (long i = 0; !stop; i = (i + 1) % 1000)
		tell("pwrite", pwrite(fd, data, 8, i * 8),
		     "%s,'off':%ld,'size':8", book_name(fd), i * 8);
	book_do_close(fd);
	return NULL;
}

/* The child has one thread, and none of what the others were doing. */
static void fork_and_work(long count)
{
	for (long i = 0; i < count; i++) {
		pid_t pid = fork();

		if (!pid) {
			play_work(i);
			_exit(0);
		}
		await(pid);
	}
}

static void *work_forking(void *arg)
{
	fork_and_work((long)arg);
	return NULL;
}

static void play_busy_fork(long count)
{
	pthread_t busy[4], forking;

	for (long i = 0; i < 4; i++)
		pthread_create(&busy[i], NULL, work_until_stopped, (void *)i);
	pthread_create(&forking, NULL, work_forking, (void *)count);
	pthread_join(forking, NULL);
	stop = true;
	for (int i = 0; i < 4; i++)
		pthread_join(busy[i], NULL);
}

static void do_work_child(pid_t *ret_pid)
{
	*ret_pid = do_fork();
	if (!*ret_pid) {
		play_work(1);
		_exit(0);
	}
}

/* Nothing is recorded of them. */
static void tell_waited(const char *symbol, bool is_good)
{
	if (!is_good)
		tell_failure("a child is lost");
	tell_silent(symbol);
}

static void play_waits(long count)
{
	siginfo_t info;
	int status;
	pid_t pid;

	do_work_child(&pid);
	tell_waited("wait", wait(&status) == pid);
	do_work_child(&pid);
	tell_waited("waitpid", waitpid(pid, &status, 0) == pid);
	do_work_child(&pid);
	tell_waited("wait3", wait3(&status, 0, NULL) == pid);
	do_work_child(&pid);
	tell_waited("wait4", wait4(pid, &status, 0, NULL) == pid);
	do_work_child(&pid);
	tell_waited("waitid", !waitid(P_PID, (id_t)pid, &info, WEXITED));
	do_work_child(&pid);
	tell_waited("__wait", __wait(&status) == pid);
	do_work_child(&pid);
	tell_waited("__waitpid", __waitpid(pid, &status, 0) == pid);
}

const struct scenario oracle_processes[] = {
	{ "work", play_work },   { "fork", play_fork },
	{ "daemon", play_daemon }, { "raw-fork", play_raw },
	{ "spawn", play_spawn }, { "shell", play_shell },
	{ "vfork", play_vfork }, { "exec", play_exec },
	{ "busy-fork", play_busy_fork }, { "waits", play_waits },
	{ NULL, NULL },
};
