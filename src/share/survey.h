/* SPDX-License-Identifier: BSD-3-Clause */
/* Surveys a trace by the headers and texts of its blocks. */
#ifndef WEIR_SHARE_SURVEY_H
#define WEIR_SHARE_SURVEY_H

#include "share/filemounts.h"
#include "trace/bytes/map.h"
#include "trace/event/names.h"
#include "trace/facts/nodeinfo.h"
#include "trace/facts/procend.h"
#include "trace/control/unrecorded.h"

#include <stdbool.h>
#include <stdint.h>

struct weir_survey_process {
	uint32_t program; /* number in `programs`; 0: not known */
	uint32_t threads; /* of the program, not those for signal handlers */
	uint32_t pid;
	int64_t rank; /* of a parallel program, or -1 */
	struct weir_procend end;
	uint64_t dropped, lost, overwritten, hidden[4];
	bool was_killed;
	bool is_live; /* its last word has not been seen */
};

/* Zero it to begin; files are added up. */
struct weir_survey {
	uint64_t bytes; /* on disk */
	uint32_t files, packed, raw, unended;
	uint64_t rows;	     /* events in EVENTS blocks, notes too */
	uint64_t events;     /* calls, as the ends of files tell */
	uint64_t short_rows; /* in RING blocks */
	uint64_t records;    /* in CHUNK blocks: about as many calls */
	uint64_t summed;     /* calls in sums, as the ends of files tell */
	uint64_t profiles;   /* PROFILE blocks */
	uint64_t event_blocks;
	uint64_t folded; /* files that sums tell of together */
	uint64_t begin, end; /* CLOCK_REALTIME, ns; end 0: nothing is known */
	uint64_t damaged_blocks, damaged_bytes;
	uint64_t unknown_blocks;
	struct weir_survey_process *processes;
	size_t process_count, process_room;
	struct weir_map process_of; /* who it is, hashed, to index + 1 */
	struct weir_names programs;
	struct weir_unrecorded unrecorded;
	struct weir_names hosts, clocks, versions;
	struct weir_clockfix_bound bound; /* of the hosts' clocks */
	struct weir_names ranks;  /* their numbers, each once */
	struct weir_names traits; /* what processes say they are: KEY VALUE */
	struct weir_names settings; /* lines of HEAD that are none of these */
	struct weir_filemounts mounts;
	uint64_t format;
};

void weir_survey_fini(struct weir_survey *survey);

/* Adds a file. -EBADMSG: it is no trace; -ENOTSUP: of a later format. */
int weir_survey_add(struct weir_survey *survey, int fd);

/* Adds what processes still have in memory; nothing when it is gone. */
int weir_survey_add_live(struct weir_survey *survey, const char *live_dir);

/* Names of files; whether that is exact. */
uint64_t weir_survey_names(const struct weir_survey *survey, bool *ret_exact);

/* Calls, as well as it is known; whether that is exact. */
uint64_t weir_survey_calls(const struct weir_survey *survey, bool *ret_exact);

#endif
