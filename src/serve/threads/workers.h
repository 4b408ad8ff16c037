/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs what may take long in threads: a session's own thread goes on granting
 * and answering others meanwhile. There are as many as are wanted at once,
 * within a limit; what comes then waits.
 */
#ifndef WEIR_THREADS_WORKERS_H
#define WEIR_THREADS_WORKERS_H

struct weir_workers_task {
	void (*run)(struct weir_workers_task *task);
	struct weir_workers_task *next;
};

void weir_workers_do(struct weir_workers_task *task);
void weir_workers_end(void); /* waits for what has been begun */

#endif
