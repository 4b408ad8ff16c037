/* SPDX-License-Identifier: BSD-3-Clause */
/* The command that is run: signals reach it, its status comes back. */
#ifndef WEIR_LAUNCH_CHILD_H
#define WEIR_LAUNCH_CHILD_H

#include <signal.h>
#include <sys/types.h>

struct weir_child {
	pid_t pid;
	sigset_t old_mask;
	struct sigaction old_child_action;
};

/* Called in the child before it becomes the command; 0 or -errno. */
typedef int (*weir_child_setup)(void *arg);

/* From here on signals wait to be passed on. Failure is -errno. */
int weir_child_start(struct weir_child *child, char **command,
		     weir_child_setup setup, void *arg);

/* Passes signals on until the command ends: its status as a shell has it. */
int weir_child_wait(struct weir_child *child);

#endif
