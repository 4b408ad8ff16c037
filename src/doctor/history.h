/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads from a trace how it was made. */
#ifndef WEIR_DOCTOR_HISTORY_H
#define WEIR_DOCTOR_HISTORY_H

#include "trace/read/reader.h"

#include <stdbool.h>
#include <stdint.h>

struct weir_history {
	const char *path; /* borrowed */
	int err;	  /* why it could not be opened, or 0 */
	bool is_there;	  /* something has this name */
	bool is_served;	  /* a collector is at work on it */
	char left[256];	  /* a file that an ended collector left, or empty */
	char other[256];  /* one that a collector of another host has made */
	uint64_t events, processes;
	uint64_t stopped;  /* processes whose recording stopped early */
	uint64_t children; /* programs that were started and not recorded */
	uint32_t child;	   /* one of them */
	bool has_wanted;   /* a file whose name ends so */
	bool is_damaged;
	bool is_whole; /* all events were looked at; it can take too long */
	struct weir_reader_losses losses;
};

/* `wanted` may be NULL. 0 or -ENOMEM; what is wrong with the trace is told. */
int weir_history_new(const char *path, const char *wanted,
		     struct weir_history **ret_history);
void weir_history_free(struct weir_history *history);

#endif
