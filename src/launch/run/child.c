/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the command: signals reach it, its status comes back. */
#include "launch/run/child.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_FOUND    127
#define NOT_RUNNABLE 126

static void choose_signals(sigset_t *set)
{
	static const int passed_on[] = {
		SIGCHLD, SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,  SIGUSR1,
		SIGUSR2, SIGCONT, SIGTSTP, SIGALRM, SIGWINCH,
	};

	sigemptyset(set);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++)
		sigaddset(set, passed_on[i]);
}

/* Exactly as if we had not been there, but for the environment. */
static void become(struct weir_child *child, char **command,
		   weir_child_setup setup, void *arg)
{
	int err = setup ? setup(arg) : 0;

	if (err)
		fprintf(stderr, "weir: cannot record: %s\n", strerror(-err));
	sigaction(SIGCHLD, &child->old_child_action, NULL);
	sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
	execvp(command[0], command);
	err = errno;
	fprintf(stderr, "weir: cannot run %s: %s\n", command[0],
		err == ENOENT ? "command not found" : strerror(err));
	_exit(err == ENOENT ? NOT_FOUND : NOT_RUNNABLE);
}

int weir_child_start(struct weir_child *child, char **command,
		     weir_child_setup setup, void *arg)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t set;
	int err = 0;

	choose_signals(&set);
	sigprocmask(SIG_BLOCK, &set, &child->old_mask);
	/* Ignored, as some shells have it, it would take the status away. */
	sigaction(SIGCHLD, &plain, &child->old_child_action);
	fflush(NULL);
	child->pid = fork();
	if (!child->pid)
		become(child, command, setup, arg);
	if (child->pid < 0) {
		err = -errno;
		sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
	}
	return err;
}

/*
 * A command that its terminal stopped looks stopped to the shell only when we
 * stop too; the shell lets both of us go on. Who stops for another reason is
 * set going again by somebody who may not know of us.
 */
static void stop_with_it(int status)
{
	int number = WSTOPSIG(status);

	if (number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
		raise(SIGSTOP);
}

/* One that cannot be waited for is nobody's business any more. */
static bool has_ended(struct weir_child *child, int *status)
{
	pid_t pid;

	do {
		pid = waitpid(child->pid, status, WNOHANG | WUNTRACED);
		if (pid > 0 && WIFSTOPPED(*status))
			stop_with_it(*status);
	} while ((pid < 0 && errno == EINTR) ||
		 (pid > 0 && WIFSTOPPED(*status)));
	return pid != 0;
}

/* What the terminal sends, it has sent to the whole group already. */
static void pass_on(struct weir_child *child, const siginfo_t *info)
{
	if (info->si_code != SI_KERNEL)
		kill(child->pid, info->si_signo);
}

int weir_child_wait(struct weir_child *child, weir_child_take take, void *arg)
{
	int status = 0, number;
	siginfo_t info;
	sigset_t set;

	choose_signals(&set);
	while (!has_ended(child, &status)) {
		number = sigwaitinfo(&set, &info);
		if (number > 0 && number != SIGCHLD &&
		    !(take && take(arg, number)))
			pass_on(child, &info);
	}
	sigprocmask(SIG_SETMASK, &child->old_mask, NULL);
	child->told = status;
	child->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	if (child->signal)
		return 128 + child->signal;
	return WEXITSTATUS(status);
}
