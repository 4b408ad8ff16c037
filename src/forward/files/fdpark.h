/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens and closes descriptors in a child of its own: a process that closes any
 * descriptor of a file loses its locks (fcntl) of that file. So a process that
 * has such locks has a child do it, which has its memory and a copy of its
 * descriptors, and no locks.
 */
#ifndef WEIR_FILES_FDPARK_H
#define WEIR_FILES_FDPARK_H

#include <stdbool.h>

/* This process has or had locks; never false again. */
extern bool weir_fdpark_is_wanted;

/* Returns when it is done; in the child, or here if there cannot be one. */
void weir_fdpark_run(void (*work)(void *on), void *on);

#endif
