/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps the calls that no row of a table can describe. */
#ifndef WEIR_PRELOAD_BY_HAND_H
#define WEIR_PRELOAD_BY_HAND_H

/* Called by the assembly of vfork, around the system call. */
void weir_by_hand_vfork_enter(void);
long weir_by_hand_vfork_leave(long pid);

int sigaltstack(const void *new_stack, void *old_stack);
int dlclose(void *library);
void _exit(int status);
void _Exit(int status);

#endif
