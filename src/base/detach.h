/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts a process that nobody waits for and no terminal can end. */
#ifndef WEIR_BASE_DETACH_H
#define WEIR_BASE_DETACH_H

/*
 * Forks twice. Returns 1 in the caller and 0 in the new process, which is
 * called `name` and has its own session, all signals blocked, / as working
 * directory, /dev/null as standard streams and no other descriptors than those
 * kept (-1 is ignored). Or -errno.
 */
int weir_detach_fork(const char *name, const int *keep, int count);

#endif
