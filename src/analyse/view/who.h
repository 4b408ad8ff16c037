/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups processes: each alone, by rank, by host, or all together. */
#ifndef WEIR_VIEW_WHO_H
#define WEIR_VIEW_WHO_H

#include "trace/read/reader.h"

#include <stdint.h>

enum weir_who_by {
	WEIR_WHO_TOTAL,
	WEIR_WHO_PROCESS,
	WEIR_WHO_RANK,
	WEIR_WHO_HOST,
};

struct weir_who_group {
	uint32_t proc;	  /* the first of its processes, by number */
	int64_t rank;	  /* of that; -1: none */
	const char *host; /* likewise; borrowed from the reader */
};

/* Wants weir_who_fini, and the reader as long as it is used. */
struct weir_who {
	enum weir_who_by by;
	uint32_t count;
	struct weir_who_group *groups; /* by number, rank or host */
	uint32_t *group_of;	       /* by number of the process */
	uint32_t processes;
	int several_hosts;
};

int weir_who_init(struct weir_who *who, const struct weir_reader *reader,
		  enum weir_who_by by);
void weir_who_fini(struct weir_who *who);

/* How many processes are the application's, and the first of them or NULL. */
uint32_t weir_who_own(const struct weir_reader *reader,
		      const struct weir_procinfo **ret_first);

/* The group of a process; of one that is not known the first. */
uint32_t weir_who_of(const struct weir_who *who, uint32_t proc);

#endif
