/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the progress of long work at a terminal. */
#ifndef WEIR_CMDS_PROGRESS_H
#define WEIR_CMDS_PROGRESS_H

#include "trace/read/reader.h"

#include <pthread.h>
#include <stdbool.h>

struct weir_progress {
	const char *doing;		  /* as in "reading the trace" */
	const struct weir_reader *reader; /* NULL: how far is not known */
	pthread_mutex_t lock;
	pthread_cond_t ended;
	pthread_t teller;
	bool runs, is_over, was_told;
};

/*
 * From the second second on a line of standard error is written again and
 * again; none if that is no terminal. It is gone after the end. The reader may
 * be used meanwhile, but not closed.
 */
void weir_progress_begin(struct weir_progress *progress, const char *doing,
			 const struct weir_reader *reader);
void weir_progress_end(struct weir_progress *progress);

#endif
