/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the PROC block: all that is known of one recorded process. */
#ifndef WEIR_FACTS_PROCINFO_H
#define WEIR_FACTS_PROCINFO_H

#include "trace/facts/procend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_procinfo_thread {
	uint32_t number, tid, level;
	uint64_t drops;
};

/* What a process has told of itself: its rank, its libraries. */
#define WEIR_PROCINFO_TRAIT "trait." /* before the key, in the block */
#define WEIR_PROCINFO_KEY   32       /* bytes of the longest key, and NUL */

struct weir_procinfo_trait {
	char *key, *value;
};

/* Keys of the calls that were counted, not recorded. */
extern const char *const weir_procinfo_hidden[4];

struct weir_procinfo {
	uint32_t number; /* in the trace, from 1; set by who reads the block */
	uint32_t node;   /* likewise: of the file, from 0 */
	uint32_t pid, ppid, uid;
	uint64_t start; /* of the process, in the kernel's own unit */
	uint64_t image; /* programs executed before in this process */
	uint64_t tick0;
	char *exe, *cwd;
	char **args; /* ends with NULL */
	size_t arg_count, arg_room;
	struct weir_procinfo_thread *threads; /* sorted by number */
	size_t thread_count, thread_room;
	struct weir_procinfo_trait *traits; /* in the order they were told */
	size_t trait_count, trait_room;
	uint64_t dropped, outside, lost;
	uint64_t kept, overwritten; /* short records; 0 of other processes */
	uint64_t hidden[4]; /* not to be recorded, by reason */
	char stop[16];  /* none, no-memory or damaged */
	char state[16]; /* live, exited or cut */
	struct weir_procend end;
};

/* 0, -EBADMSG, -ENOMEM. ret_info wants weir_procinfo_fini after success. */
int weir_procinfo_parse(const void *text, size_t size,
			struct weir_procinfo *ret_info);
void weir_procinfo_fini(struct weir_procinfo *info);

/* The last value of a trait, or NULL. */
const char *weir_procinfo_tells(const struct weir_procinfo *info,
				const char *key);

/* Its number among the processes of a parallel program, or -1. */
int64_t weir_procinfo_rank(const struct weir_procinfo *info);

/* The name of its program, without directories; "?" when not known. */
const char *weir_procinfo_program(const struct weir_procinfo *info);

/* A signal ended it, or what did is not known. */
bool weir_procinfo_was_killed(const struct weir_procinfo *info);

/* It is one of weir's own, that works for the programs of the trace. */
bool weir_procinfo_is_server(const struct weir_procinfo *info);

/* NULL when the process did not tell of such a thread. */
const struct weir_procinfo_thread *
weir_procinfo_find(const struct weir_procinfo *info, uint32_t thread);

#endif
