/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether memory can be read that no one has looked at before the call. */
#ifndef WEIR_CAPTURE_PEEK_H
#define WEIR_CAPTURE_PEEK_H

#include "capture/thread.h"

#include <stddef.h>

/*
 * What a program submits must be read before the call: afterwards another
 * thread may have seen it complete and freed it. But before the call nobody
 * has checked the pointers, and the kernel answers EFAULT where we would
 * crash. So the first look at a page asks the kernel; the thread remembers
 * the pages it has looked at.
 */
bool weir_peek_can_read(struct weir_thread *t, const void *from, size_t bytes);

/* A whole name: it ends where the kernel would still look for its end. */
bool weir_peek_has_text(struct weir_thread *t, const char *text);

#endif
