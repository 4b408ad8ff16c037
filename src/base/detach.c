/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts a process that nobody waits for and no terminal can end. */
#include "base/detach.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_FILES 65536

static bool is_kept(int fd, const int *keep, int count)
{
	for (int i = 0; i < count; i++) {
		if (keep[i] == fd)
			return true;
	}
	return fd <= STDERR_FILENO;
}

/* All descriptors from `first` on; older kernels do not know how. */
static void close_rest(int first)
{
	long limit = sysconf(_SC_OPEN_MAX);

	if (!syscall(SYS_close_range, first, ~0u, 0))
		return;
	for (long fd = first; fd < limit && fd < MOST_FILES; fd++)
		close((int)fd);
}

/*
 * A pipe left open here would keep its reader waiting for us, for ever if
 * that is ourselves: nothing here may need memory or a descriptor.
 */
static void close_others(const int *keep, int count)
{
	int last = STDERR_FILENO;

	for (int i = 0; i < count; i++) {
		if (keep[i] > last)
			last = keep[i];
	}
	for (int fd = STDERR_FILENO + 1; fd < last; fd++) {
		if (!is_kept(fd, keep, count))
			close(fd);
	}
	close_rest(last + 1);
}

static void silence(void)
{
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
}

/* Signals that tell of our own faults must keep their meaning. */
static void block_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGABRT);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGFPE);
	sigprocmask(SIG_SETMASK, &all, NULL);
}

int weir_detach_fork(const char *name, const int *keep, int count)
{
	int status = 0; /* nobody can tell where SIGCHLD is ignored */
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid) {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		return WIFEXITED(status) && !WEXITSTATUS(status) ? 1 : -EAGAIN;
	}
	setsid();
	pid = fork();
	if (pid)
		_exit(pid < 0);
	block_signals();
	silence();
	close_others(keep, count);
	if (chdir("/"))
		errno = 0; /* a file system stays busy for our time: no more */
	prctl(PR_SET_NAME, name);
	return 0;
}
