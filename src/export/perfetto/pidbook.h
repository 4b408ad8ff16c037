/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives processes and threads numbers that are unique in a trace. */
#ifndef WEIR_PERFETTO_PIDBOOK_H
#define WEIR_PERFETTO_PIDBOOK_H

#include "trace/bytes/map.h"
#include "trace/facts/procinfo.h"
#include "trace/read/reader.h"

#include <stdint.h>

/*
 * Viewers of one machine know processes by their numbers. In a trace two may
 * have the same: on two hosts, one after the other, or because a process
 * executed another program. The first has its own number, the others one that
 * no kernel gives. Zero it to begin.
 */
struct weir_pidbook {
	struct weir_map used; /* numbers of threads, main ones too */
	uint32_t *pids;	      /* by number of the process */
	uint32_t count, next;
};

/* 0 or -ENOMEM; wants fini either way. */
int weir_pidbook_init(struct weir_pidbook *book,
		      const struct weir_reader *reader);
void weir_pidbook_fini(struct weir_pidbook *book);

/* What stands for the process. */
uint32_t weir_pidbook_process(const struct weir_pidbook *book, uint32_t proc);

/* And for one of its threads, asked for once each. 0 or -ENOMEM. */
int weir_pidbook_thread(struct weir_pidbook *book,
			const struct weir_procinfo *process, uint32_t proc,
			uint32_t thread, uint32_t *ret_tid);

#endif
