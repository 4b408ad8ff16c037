/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells of asynchronous operations, and of calls that return -errno. */
#include "async_tell.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

const char *tell_extent(size_t size, long off)
{
	static __thread char text[64];

	snprintf(text, sizeof(text), "'size':%zu,'off':%ld", size, off);
	return text;
}

void tell_op(const char *record, int op, int fd, const char *extent,
	     const void *id)
{
	tell(record, 0, "%s,%s,'depth':1,'args':{'op':%d,'id':%lu}",
	     book_name(fd), extent, op, (unsigned long)id);
}

void tell_done(const char *record, const void *id, long result)
{
	tell_negative(record, result, "'depth':1,'args':{'id':%lu}",
		      (unsigned long)id);
}

void tell_negative(const char *symbol, long ret, const char *fields, ...)
{
	int err = errno;
	char text[1024];
	va_list list;

	va_start(list, fields);
	vsnprintf(text, sizeof(text), fields, list);
	va_end(list);
	if (ret < 0)
		errno = (int)-ret;
	tell(symbol, ret < 0 ? -1 : ret, "%s", text);
	errno = err;
}
