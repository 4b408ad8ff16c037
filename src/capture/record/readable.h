/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether memory can be read that nobody has looked at yet. */
#ifndef WEIR_RECORD_READABLE_H
#define WEIR_RECORD_READABLE_H

#include "capture/memory/thread.h"
#include "gate/gate.h"

#include <stddef.h>

/*
 * What a program submits must be read before the call: afterwards another
 * thread may have seen it complete and freed it. But before the call nobody
 * has checked the pointers, and the kernel answers EFAULT where we would
 * crash. So the first look at a page asks the kernel; the thread remembers
 * the pages it has looked at.
 */
bool weir_readable_has_bytes(struct weir_thread *t, const void *from,
			     size_t bytes);

/* A whole name: it ends where the kernel would still look for its end. */
bool weir_readable_has_text(struct weir_thread *t, const char *text);

/* Whether memory that the kernel may not have looked at is there. */
WEIR_GATE_DOOR bool weir_readable_probe(const void *pointer, size_t bytes);

/*
 * The kernel read (or wrote) what the pointers point to, so we may: details
 * are written after the call. A call that failed may have been refused before
 * they were looked at. Some errors tell that all names of the call were read,
 * some at least the first path: to look there without asking the kernel once
 * more is worth it, for programs look in vain for many names.
 */
#define WEIR_READABLE_ALL                                                      \
	(UINT64_C(1) << 17 | /* EEXIST */ UINT64_C(1) << 18 | /* EXDEV */      \
	 UINT64_C(1) << 39 |				      /* ENOTEMPTY */  \
	 UINT64_C(1) << 61 /* ENODATA */)
#define WEIR_READABLE_PATH                                                     \
	(WEIR_READABLE_ALL | UINT64_C(1) << 2 |		       /* ENOENT */    \
	 UINT64_C(1) << 20 | /* ENOTDIR */ UINT64_C(1) << 21 | /* EISDIR */    \
	 UINT64_C(1) << 40 /* ELOOP */)

static inline bool weir_readable_was_read(const struct weir_args *args,
					  uint64_t errors)
{
	return !args->failed ||
	       ((unsigned)args->err < 64 && errors >> args->err & 1);
}

static inline bool weir_readable_is_there(const struct weir_args *args,
					  const void *pointer)
{
	if (!args->failed)
		return pointer;
	return args->err != WEIR_GATE_EFAULT && weir_readable_probe(pointer, 1);
}

/* As above, for `bytes` bytes. */
static inline bool weir_readable_are_there(const struct weir_args *args,
					   const void *pointer, size_t bytes)
{
	if (!args->failed)
		return pointer;
	return pointer && weir_readable_probe(pointer, bytes);
}

#endif
