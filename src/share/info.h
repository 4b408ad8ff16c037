/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers what `weir info` prints about a trace. */
#ifndef WEIR_SHARE_INFO_H
#define WEIR_SHARE_INFO_H

#include "launch/collect/leftover.h"
#include "share/infofigures.h"
#include "share/look.h"
#include "share/survey.h"

struct weir_info {
	struct weir_survey survey;
	struct weir_look look;
	struct weir_infofigures figures;
	struct weir_outcome *outcome; /* of its plan; NULL: it had none */
	uint32_t refused;  /* files that are no traces */
	bool is_recording; /* somebody still writes; in `busy` who */
	bool has_memory;   /* memory files are left */
	struct weir_leftover_busy busy;
};

/*
 * Reads the headers and texts of a trace, and some of its events; `exact`:
 * all of them. Errors as of weir_reader_open(). Fini comes after success.
 */
int weir_info_gather(const char *trace, bool exact, struct weir_info *ret_info);
void weir_info_fini(struct weir_info *info);

/* 1 when any of it is damaged. */
int weir_info_is_damaged(const struct weir_info *info);

/* "complete", "recording", "raw", "damaged". */
const char *weir_info_state(const struct weir_info *info);

/* Sums over the processes. */
struct weir_info_sums {
	uint64_t threads, live, dropped, lost, overwritten, hidden[4];
};

void weir_info_add_up(const struct weir_info *info,
		      struct weir_info_sums *ret_sums);

bool weir_info_saw_all(const struct weir_info *info);

/* The calls of a trace, as reports have them or as some of it lets believe. */
struct weir_info_calls {
	uint64_t calls, failed, read, written;
	bool is_exact; /* the number of calls */
	struct weir_look_layer layers[WEIR_LOOK_LAYERS];
	uint32_t layer_count;
};

void weir_info_calls(const struct weir_info *info,
		     struct weir_info_calls *ret_calls);

/* Calls that never returned, of those that were looked at. */
uint64_t weir_info_unreturned(const struct weir_info *info);

#endif
