/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches programs that attached: a descriptor for each says when it has ended.
 */
#ifndef WEIR_DAEMON_ATTACHED_H
#define WEIR_DAEMON_ATTACHED_H

#include <sys/types.h>

/*
 * *ret_fd becomes readable when it has ended; -1: that is watched already, or
 * this kernel cannot tell. -ESRCH: it has ended.
 */
int weir_attached_add(pid_t pid, int *ret_fd);
void weir_attached_remove(pid_t pid);

#endif
