/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs what may take time in threads, so that the daemon's first never waits.
 */
#ifndef WEIR_THREADS_JOBS_H
#define WEIR_THREADS_JOBS_H

/* Some thread calls it, soon. 0 or -errno: nobody will. */
int weir_jobs_do(void (*work)(void *arg), void *arg);

#endif
