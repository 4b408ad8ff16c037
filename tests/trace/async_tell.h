/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells of asynchronous operations, and of calls that return -errno. */
#ifndef ASYNC_TELL_H
#define ASYNC_TELL_H

#include "oracle.h"

/* An operation that the call told just before has handed over. */
void tell_op(const char *record, int op, int fd, const char *extent,
	     const void *id);

/* One that it saw completed; a result below 0 is -errno. */
void tell_done(const char *record, const void *id, long result);

/* A call whose result below 0 is -errno. */
void tell_negative(const char *symbol, long ret, const char *fields, ...)
	__attribute__((format(printf, 3, 4)));

/* 'size' and 'off', in a buffer that the next call reuses. */
const char *tell_extent(size_t size, long off);

#endif
