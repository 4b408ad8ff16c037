/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the detail of a record, argument by argument. */
#ifndef WEIR_CAPTURE_JOT_H
#define WEIR_CAPTURE_JOT_H

#include "capture/thread.h"
#include "gate/gate.h"

#include <stddef.h>

void weir_jot_unsigned(struct weir_jot *d, uint64_t value);
void weir_jot_signed(struct weir_jot *d, int64_t value);
void weir_jot_optional(struct weir_jot *d, bool given, uint64_t value);
void weir_jot_bytes(struct weir_jot *d, const void *bytes, size_t len);
void weir_jot_text(struct weir_jot *d, const char *text);
/* An argument, which may point anywhere when the call failed. */
void weir_jot_string(struct weir_jot *d, const struct weir_args *args,
		     const char *text);

/*
 * A path from args->dirfd: `late` when another text comes before it, which may
 * be what was not found. The second path of a call has a dirfd of its own.
 */
void weir_jot_path(struct weir_jot *d, const struct weir_args *args,
		      const char *path);
void weir_jot_late_path(struct weir_jot *d, const struct weir_args *args,
			const char *path);
void weir_jot_path2(struct weir_jot *d, const struct weir_args *args,
		    const char *path);
void weir_jot_vector(struct weir_jot *d, struct weir_args *args);
void weir_jot_stat(struct weir_jot *d, const struct weir_args *args,
		      const void *st);
void weir_jot_statx(struct weir_jot *d, const struct weir_args *args,
		       const void *st);
void weir_jot_handle(struct weir_jot *d, int fd);
void weir_jot_pair(struct weir_jot *d, const struct weir_args *args,
		      const int *fds);

/* Whether memory that the kernel may not have looked at is there. */
bool weir_jot_probe(const void *pointer, size_t bytes);

/*
 * The kernel read (or wrote) what the pointer points to, so we may: details
 * are written after the call. A call that failed may have been refused before
 * the pointer was looked at; only a name that was not found surely was.
 */
static inline bool weir_jot_can_read(const struct weir_args *args,
				     const void *pointer)
{
	if (!args->failed || args->err == WEIR_GATE_ENOENT)
		return pointer;
	return args->err != WEIR_GATE_EFAULT && weir_jot_probe(pointer, 1);
}

/*
 * As above, for `bytes` bytes that are no path: a call may end with any error
 * before it looks at them.
 */
static inline bool weir_jot_can_read_all(const struct weir_args *args,
					 const void *pointer, size_t bytes)
{
	if (!args->failed)
		return pointer;
	return pointer && weir_jot_probe(pointer, bytes);
}

/* An offset that the kernel moved by the result: what it was before. */
static inline uint64_t weir_jot_before(const struct weir_args *args,
					  const long *offset)
{
	if (!weir_jot_can_read(args, offset))
		return 0;
	return (uint64_t)(*offset - (args->failed ? 0 : args->ret));
}

/* What a struct timespec says, in ns. */
uint64_t weir_jot_timeout(const struct weir_args *args, const void *timeout);

#endif
