/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows how a run goes on, while it does. */
#ifndef WEIR_CMDS_RUN_PROGRESS_H
#define WEIR_CMDS_RUN_PROGRESS_H

#include "share/tracewatch.h"

#include <pthread.h>
#include <stdbool.h>

struct weir_tracedir;

/* Zero it to begin. */
struct weir_run_progress {
	struct weir_tracewatch follow;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	pthread_t teller;
	bool runs, is_over, is_terminal, was_told;
};

/* `progress` is what is begun, and ended when the command has. */
void weir_run_progress_begin(void *progress,
			     const struct weir_tracedir *place);
void weir_run_progress_end(void *progress);

#endif
