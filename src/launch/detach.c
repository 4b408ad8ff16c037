/* SPDX-License-Identifier: BSD-3-Clause */
/* A process of its own that nobody waits for and no terminal can end. */
#include "launch/detach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_kept(int fd, const int *keep, int count)
{
	for (int i = 0; i < count; i++) {
		if (keep[i] == fd)
			return true;
	}
	return fd <= STDERR_FILENO;
}

/* A pipe left open here would keep its reader waiting for us. */
static void close_others(const int *keep, int count)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && fd != dirfd(dir) &&
		    !is_kept(fd, keep, count))
			close(fd);
	}
	closedir(dir);
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

int weir_detach_fork(const int *keep, int count)
{
	int status;
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
		_exit(1);
	prctl(PR_SET_NAME, "weir-collect");
	return 0;
}
