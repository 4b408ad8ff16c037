/* SPDX-License-Identifier: BSD-3-Clause */
/* The PROC block: what is known of one recorded process. */
#ifndef WEIR_TRACE_PROCINFO_H
#define WEIR_TRACE_PROCINFO_H

#include <stddef.h>
#include <stdint.h>

struct weir_procinfo_thread {
	uint32_t number, tid, level;
	uint64_t drops;
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
	size_t arg_count;
	struct weir_procinfo_thread *threads; /* sorted by number */
	size_t thread_count;
	uint64_t dropped, outside, lost;
	uint64_t kept, overwritten; /* short records; 0 of other processes */
	uint64_t hidden[4]; /* not to be recorded, by reason; [0] is unused */
	char stop[16];  /* none, no-memory or damaged */
	char state[16]; /* live, exited or cut */
};

/* 0, -EBADMSG, -ENOMEM. ret_info wants weir_procinfo_fini after success. */
int weir_procinfo_parse(const void *text, size_t size,
			struct weir_procinfo *ret_info);
void weir_procinfo_fini(struct weir_procinfo *info);

/* NULL when the process did not tell of such a thread. */
const struct weir_procinfo_thread *
weir_procinfo_find(const struct weir_procinfo *info, uint32_t thread);

#endif
