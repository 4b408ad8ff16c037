/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the command: signals reach it, its status comes back. */
#ifndef WEIR_RUN_CHILD_H
#define WEIR_RUN_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct weir_child {
	pid_t pid;
	int signal; /* that ended it, or 0 */
	int told;   /* what wait() told of its end */
	sigset_t old_mask;
	struct sigaction old_child_action;
};

/* Called in the child before it becomes the command; 0 or -errno. */
typedef int (*weir_child_setup)(void *arg);

/* From here on signals wait to be passed on. Failure is -errno. */
int weir_child_start(struct weir_child *child, char **command,
		     weir_child_setup setup, void *arg);

/* Called for a signal; true: it is not for the command. */
typedef bool (*weir_child_take)(void *arg, int signal_number);

/*
 * Passes signals on, but those that `take` (may be NULL) takes, until the
 * command ends: its status as a shell has it.
 */
int weir_child_wait(struct weir_child *child, weir_child_take take, void *arg);

#endif
