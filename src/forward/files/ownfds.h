/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows descriptors through fork, vfork and the end of a process. */
#ifndef WEIR_FILES_OWNFDS_H
#define WEIR_FILES_OWNFDS_H

#include <stdbool.h>

/* Whether this process is the one whose table it is, not a vforked child. */
bool weir_ownfds_are_ours(void);

/* Around the life of a vforked child, which runs in our memory. */
void weir_ownfds_vfork(int change);

/* The process forks: its child has all descriptors too. */
void weir_ownfds_fork(void);
void weir_ownfds_fork_made(void); /* in the parent */
void weir_ownfds_forked(void);

/* The process ends. */
void weir_ownfds_end(void);

#endif
