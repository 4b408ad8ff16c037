/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps descriptors that outlive a daemon: the supervisor has them. */
#ifndef WEIR_STATE_KEPTFDS_H
#define WEIR_STATE_KEPTFDS_H

#include <stdint.h>

enum weir_keptfds_kind {
	WEIR_KEPTFDS_SESSION,  /* its memory, by number */
	WEIR_KEPTFDS_FILE,     /* what a client opened, by place on the board */
	WEIR_KEPTFDS_DEFERRED, /* memory of a deferred file, by place */
	WEIR_KEPTFDS_PARENT,   /* the directory where it will be */
	WEIR_KEPTFDS_INODE,    /* the file that it will be, without a name */
	WEIR_KEPTFDS_KINDS,
};

/*
 * In the daemon. When keep returns 0, a daemon that comes after us has it too.
 * Any thread; the descriptor stays the caller's.
 */
int weir_keptfds_keep(enum weir_keptfds_kind kind, uint32_t index, int fd);
/* When it returns, the supervisor has closed it. */
void weir_keptfds_drop(enum weir_keptfds_kind kind, uint32_t index);
/* The same, without waiting for that: nobody minds that it is open. */
void weir_keptfds_drop_later(enum weir_keptfds_kind kind, uint32_t index);

/* In a daemon that has just started: what it inherited, or -1. */
int weir_keptfds_inherited(enum weir_keptfds_kind kind, uint32_t index);

/* Before any of these: the way to the supervisor. */
void weir_keptfds_begin(int above);

/* In the supervisor: takes over fd, -1: nothing; lets go of what was there. */
void weir_keptfds_replace(uint32_t kind, uint32_t index, int fd);

#endif
