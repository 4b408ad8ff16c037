/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the detail of a record, argument by argument. */
#ifndef WEIR_CAPTURE_JOT_H
#define WEIR_CAPTURE_JOT_H

#include "capture/thread.h"
#include "gate/gate.h"

#include <stddef.h>

WEIR_GATE_DOOR void weir_jot_unsigned(struct weir_jot *d, uint64_t value);
WEIR_GATE_DOOR void weir_jot_signed(struct weir_jot *d, int64_t value);
WEIR_GATE_DOOR void weir_jot_optional(struct weir_jot *d, bool given,
				      uint64_t value);
WEIR_GATE_DOOR void weir_jot_bytes(struct weir_jot *d, const void *bytes,
				   size_t len);
WEIR_GATE_DOOR void weir_jot_text(struct weir_jot *d, const char *text);
/* An argument, which may point anywhere when the call failed. */
void weir_jot_string(struct weir_jot *d, const struct weir_args *args,
		     const char *text);

/*
 * A path from args->dirfd: `late` when another text comes before it, which may
 * be what was not found. The second path of a call has a dirfd of its own.
 */
WEIR_GATE_DOOR void weir_jot_path(struct weir_jot *d,
				  const struct weir_args *args,
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
WEIR_GATE_DOOR bool weir_jot_probe(const void *pointer, size_t bytes);

/*
 * The kernel read (or wrote) what the pointers point to, so we may: details
 * are written after the call. A call that failed may have been refused before
 * they were looked at. Some errors tell that all names of the call were read,
 * some at least the first path: to look there without asking the kernel once
 * more is worth it, for programs look in vain for many names.
 */
#define WEIR_JOT_ALL_READ                                                  \
	(UINT64_C(1) << 17 | /* EEXIST */ UINT64_C(1) << 18 | /* EXDEV */  \
	 UINT64_C(1) << 39 | /* ENOTEMPTY */                               \
	 UINT64_C(1) << 61 /* ENODATA */)
#define WEIR_JOT_PATH_READ                                                 \
	(WEIR_JOT_ALL_READ | UINT64_C(1) << 2 | /* ENOENT */               \
	 UINT64_C(1) << 20 | /* ENOTDIR */ UINT64_C(1) << 21 | /* EISDIR */\
	 UINT64_C(1) << 40 /* ELOOP */)

static inline bool weir_jot_read(const struct weir_args *args,
				 uint64_t errors)
{
	return !args->failed ||
	       ((unsigned)args->err < 64 && errors >> args->err & 1);
}

static inline bool weir_jot_can_read(const struct weir_args *args,
				     const void *pointer)
{
	if (!args->failed)
		return pointer;
	return args->err != WEIR_GATE_EFAULT && weir_jot_probe(pointer, 1);
}

/* As above, for `bytes` bytes. */
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
