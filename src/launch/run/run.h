/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a command and has it recorded. */
#ifndef WEIR_RUN_RUN_H
#define WEIR_RUN_RUN_H

#include "launch/programs/preloads.h"

#include <stdbool.h>
#include <stdint.h>

struct weir_rules;
struct weir_runfacts;
struct weir_runresult;
struct weir_tracedir;

struct weir_run_order {
	const char *output; /* directory; NULL: one with a telling name */
	uint64_t buffer;    /* bytes for records in each process */
	struct weir_rules *rules; /* which files */
	bool all;	    /* also files of the system and of languages */
	bool profile;	    /* sums by file instead of calls */
	const char *plan;   /* file of settings to apply; NULL: none */
	const char *forward; /* as in WEIR_FORWARD; NULL: files are not */
	/* With `forward`, when the command has ended: 0, or a reason. */
	int (*stored)(void *arg, struct weir_runresult *result);
	/* Before it begins: live files of who works for it go there. */
	void (*followed)(void *arg, const char *live);
	void *stored_arg;
	bool is_shared; /* others may use the same service */
	bool sites;	    /* where outermost calls are made */
	bool pointers;	    /* where the memory of transfers is */
	struct weir_preloads_choice layers; /* calls of other libraries */
	const char *layers_text; /* the same as --layers says it; or NULL */
	bool paused;	    /* recording begins switched off */
	int switch_signal;  /* switches recording on and off; 0: none does */
	uint64_t ring;	    /* bytes for short records; 0: not in such */
	bool single_file;   /* of all processes of all nodes */
	uint64_t max_size;  /* of the trace in bytes; 0: any */
	bool quiet;	    /* no summary */
	bool verify;	    /* processes sum up what they write */
	/* After all, if it is not NULL: 0, or a reason. */
	int (*check)(const char *dir, bool quiet,
		     struct weir_runresult *result);
	/* Not if quiet: what would save most, of a trace that is not long. */
	void (*advise)(const struct weir_runfacts *facts);
	/* While the command runs, if they are not NULL: of the trace there. */
	void (*follow)(void *arg, const struct weir_tracedir *place);
	void (*unfollow)(void *arg);
	void *follow_arg;
	bool strict;	    /* 6 when events were lost, 1 when not recorded */
	char **command;	    /* ends with NULL */
	struct weir_runresult *result; /* filled in */
};

/* Returns what the tool shall exit with. */
int weir_run_command(const struct weir_run_order *order);

#endif
