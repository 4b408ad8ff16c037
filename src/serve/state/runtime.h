/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime directory of a service: its sockets, its log, and what clients
 * map as long as they live. Only its user may look into it. Who holds the lock
 * in it is supervisor or daemon; without one it is a leftover.
 */
#ifndef WEIR_STATE_RUNTIME_H
#define WEIR_STATE_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>

#define WEIR_RUNTIME_DOOR  "door"  /* the daemon's socket */
#define WEIR_RUNTIME_ABOVE "above" /* the supervisor's */
#define WEIR_RUNTIME_LOG   "log"
#define WEIR_RUNTIME_LOCK  "lock"

/*
 * Makes it: `place` itself, or if that is empty one that is chosen; one that is
 * shared can be found by others. The lock is held as long as a process has
 * *ret_lock. 0 or -errno.
 */
int weir_runtime_make(char *place, size_t room, bool is_shared, int *ret_lock);
void weir_runtime_remove(const char *place);

/* A file in it; 0 or -ENAMETOOLONG. */
int weir_runtime_name(const char *place, const char *name, char *ret_path,
		      size_t room);

/* A socket of this name in it; -errno. */
int weir_runtime_listen(const char *place, const char *name);
int weir_runtime_connect(const char *place, const char *name);

/* Each service of this user that is running, and shared. */
void weir_runtime_each(void (*look)(const char *place, void *arg), void *arg);

#endif
