/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small program that does a little of everything, always the same: its
 * output has every descriptor number and errno it sees. It keeps its own
 * count of the calls it makes in the file LEDGER, one number for all its
 * processes, by system calls that are not recorded.
 *
 * usage: work LEDGER        (writes files into the working directory)
 */
#include "../lib/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 3
#define READS   25

static _Atomic uint64_t *ledger;
static char *self, *ledger_path;

/* A call, counted before it is made. */
#define CALL(expression) (atomic_fetch_add(ledger, 1), (expression))

static void open_ledger(const char *path)
{
	long fd = raw_call(SYS_openat, AT_FDCWD, path, O_RDWR, 0);
	long at = raw_call6(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, 0);

	raw_call(SYS_close, fd);
	if (fd < 0 || at < 0)
		_exit(99);
	ledger = (_Atomic uint64_t *)at;
}

/* One line on standard output: what, and a number. */
static void say(const char *what, long number)
{
	char line[160];
	int err = errno;
	int len = snprintf(line, sizeof(line), "%s %ld errno %d\n", what,
			   number, err);

	if (CALL(write(1, line, (size_t)len)) != len)
		_exit(98);
	errno = 0;
}

static void use_file(const char *name)
{
	char text[64] = "";
	struct stat st;
	int fd;

	errno = 0;
	fd = CALL(open(name, O_RDWR | O_CREAT | O_TRUNC, 0600));
	say("open", fd);
	for (int i = 0; i < 10; i++)
		if (CALL(write(fd, "0123456789", 10)) != 10)
			say("write", i);
	say("lseek", CALL(lseek(fd, 15, SEEK_SET)));
	say("read", CALL(read(fd, text, 20)));
	say(text, CALL(pwrite(fd, "abc", 3, 50)));
	memset(text, 0, sizeof(text));
	say("pread", CALL(pread(fd, text, 12, 45)));
	say(text, CALL(ftruncate(fd, 70)));
	say("fstat", CALL(fstat(fd, &st)));
	say("size", (long)st.st_size);
	say("dup2", CALL(dup2(fd, 40)));
	say("close", CALL(close(40)));
	say("close", CALL(close(fd)));
	say("close again", CALL(close(fd)));
	say("missing", CALL(open("no/such/file", O_RDONLY)));
}

static int pipe_ends[2];

static void handle(int number)
{
	int err = errno;

	if (CALL(write(pipe_ends[1], "s", 1)) != 1)
		_exit(97);
	errno = err;
}

static void use_signals(void)
{
	struct sigaction action = { .sa_handler = handle };
	char text[8] = "";

	say("pipe", CALL(pipe(pipe_ends)));
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 5; i++)
		raise(SIGUSR1);
	say("signals", CALL(read(pipe_ends[0], text, sizeof(text))));
	say(text, CALL(close(pipe_ends[0])));
	say("close", CALL(close(pipe_ends[1])));
}

static void *read_in_thread(void *sum)
{
	char byte;
	int fd = CALL(open("main", O_RDONLY));

	for (int i = 0; i < READS; i++)
		if (CALL(pread(fd, &byte, 1, i)) == 1)
			*(long *)sum += byte;
	CALL(close(fd));
	return NULL;
}

static void use_threads(void)
{
	pthread_t threads[THREADS];
	long sums[THREADS] = { 0 };

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, read_in_thread,
				   &sums[i]))
			_exit(96);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		say("thread", sums[i]);
	}
}

static void await(pid_t pid, const char *what)
{
	int status = -1;

	if (waitpid(pid, &status, 0) != pid)
		_exit(95);
	say(what, WIFEXITED(status) ? WEXITSTATUS(status) : -status);
}

static void use_fork(void)
{
	pid_t pid = fork();

	if (!pid) {
		use_file("child");
		pid = fork();
		if (!pid) {
			use_file("grandchild");
			_exit(4);
		}
		await(pid, "grandchild ended");
		exit(5);
	}
	await(pid, "child ended");
}

static void use_exec(void)
{
	char *argv[] = { self, ledger_path, "spawned", NULL };
	pid_t pid;
	extern char **environ;

	setenv("WEIR_IMAGE", "exec", 1);
	if (posix_spawn(&pid, self, NULL, NULL, argv, environ))
		_exit(94);
	await(pid, "spawned ended");
	pid = fork();
	if (!pid) {
		argv[2] = "executed";
		execv(self, argv);
		_exit(93);
	}
	await(pid, "executed ended");
}

int main(int argc, char **argv)
{
	self = argv[0];
	ledger_path = argv[1];
	open_ledger(argv[1]);
	if (argc > 2) {
		use_file(argv[2]);
		return 6;
	}
	use_file("main");
	use_signals();
	use_threads();
	use_fork();
	use_exec();
	say("no more children", waitpid(-1, NULL, 0));
	return 7;
}
