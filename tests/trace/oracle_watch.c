/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells calls on streams, and what the kernel heard of them. */
#include "oracle_watch.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define STREAMS 2048 /* by descriptor */
#define FIELDS  1024

static long places[STREAMS];
static char data[100000];

static struct {
	int fd;
	const char *flow; /* what may go between buffer and kernel */
	long kernel;
	const char *expected;
	long bytes;
} now;

static long kernel_of(int fd)
{
	return fd < 0 ? -1 : raw_call(SYS_lseek, fd, 0, SEEK_CUR);
}

void watch_new(FILE *f, long place)
{
	if (f->_fileno >= 0)
		places[f->_fileno] = place;
}

static void watch(FILE *f, const char *flow)
{
	now.fd = f->_fileno;
	now.flow = flow;
	now.kernel = kernel_of(now.fd);
}

void watch_put(FILE *f)
{
	watch(f, "stream_flush");
}

void watch_get(FILE *f)
{
	watch(f, "stream_fill");
}

void watch_quiet(FILE *f)
{
	watch(f, NULL);
}

void watch_expect(const char *flow, long bytes)
{
	now.expected = flow;
	now.bytes = bytes;
}

static const char *place_of(int fd)
{
	static char text[64];
	long place = fd < 0 ? NO_PLACE : places[fd];

	if (place == NO_PLACE)
		strcpy(text, "'off':null");
	else
		snprintf(text, sizeof(text), "'off':%ld", place);
	return text;
}

/* Told before the call that caused it, as all that calls enclose. */
static void tell_flow(void)
{
	long moved = kernel_of(now.fd) - now.kernel;
	char place[64] = "null";

	if (now.expected && now.bytes)
		tell(now.expected, now.bytes,
		     "%s,'depth':1,'off':null,'size':%ld", book_name(now.fd),
		     now.bytes);
	now.expected = NULL;
	if (!now.flow || now.kernel < 0 || moved <= 0)
		return;
	if (places[now.fd] != NO_PLACE)
		snprintf(place, sizeof(place), "%ld", now.kernel);
	tell(now.flow, moved, "%s,'depth':1,'off':%s,'size':%ld",
	     book_name(now.fd), place, moved);
}

void watch_moved(const char *symbol, long size, long ret)
{
	int err = errno;

	tell_flow();
	errno = err;
	tell(symbol, ret, "%s,%s,'size':%ld", book_name(now.fd),
	     place_of(now.fd), size);
	if (ret > 0 && now.fd >= 0 && places[now.fd] != NO_PLACE)
		places[now.fd] += ret;
}

void watch_told(const char *symbol, long ret, const char *fields, ...)
{
	char text[FIELDS];
	int err = errno;
	va_list list;

	va_start(list, fields);
	vsnprintf(text, sizeof(text), fields, list);
	va_end(list);
	tell_flow();
	errno = err;
	tell(symbol, ret, "%s,%s%s%s", book_name(now.fd), place_of(now.fd),
	     *text ? "," : "", text);
}

void watch_go(long place)
{
	places[now.fd] = place;
}

FILE *watch_fopen(const char *path, const char *mode)
{
	FILE *f = fopen(path, mode);
	bool end = mode[0] == 'a' && mode[1] != '+';

	tell("fopen", f ? f->_fileno : -1, "'path':'%s','args':{'mode':'%s'}",
	     book_absolute(path), mode);
	if (!f)
		return NULL;
	book_open(f->_fileno, book_absolute(path), 0);
	watch_new(f, end ? NO_PLACE : 0);
	return f;
}

void watch_fclose(FILE *f)
{
	int fd = f->_fileno;
	long pending = f->_IO_write_ptr - f->_IO_write_base;
	long at = kernel_of(fd);
	int ret = fclose(f);
	char place[64] = "null";

	if (at >= 0 && places[fd] != NO_PLACE)
		snprintf(place, sizeof(place), "%ld", at);
	if (pending && !ret)
		tell("stream_flush", pending, "%s,'depth':1,'off':%s,"
		     "'size':%ld", book_name(fd), place, pending);
	tell("fclose", ret, "%s", book_name(fd));
	book_close(fd);
}

void watch_fwrite(FILE *f, size_t bytes)
{
	size_t ret;

	watch_put(f);
	ret = fwrite(data, 1, bytes, f);
	watch_moved("fwrite", (long)bytes, ret || !bytes ? (long)ret : -1);
}

void watch_fread(FILE *f, size_t bytes)
{
	watch_get(f);
	watch_moved("fread", (long)bytes, (long)fread(data, 1, bytes, f));
}

/* What libc reads and writes for it is told by the cases that know. */
void watch_fseek(FILE *f, long off, int whence)
{
	int ret;

	watch_quiet(f);
	ret = fseek(f, off, whence);
	watch_told("fseek", ret, "'args':{'off':%ld,'whence':%d}", off,
		   whence);
	if (!ret)
		watch_go(raw_call(SYS_lseek, f->_fileno, 0, SEEK_CUR) -
			 (f->_IO_read_end - f->_IO_read_ptr));
}
