/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what the program has just done, one JSON line a call. */
#include "oracle_tell.h"

#include "../lib/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE     16384
#define LOG_FD   1500 /* above all descriptors that are swept */
#define LOG_NAME 512

static char log_name[LOG_NAME];
static __thread pid_t other_pid, other_tid;

void tell_failure(const char *what)
{
	raw_call(SYS_write, 2, what, strlen(what));
	raw_call(SYS_write, 2, "\n", 1);
	raw_call(SYS_exit_group, 99);
	__builtin_unreachable();
}

void tell_open(const char *path)
{
	long fd = raw_call(SYS_openat, AT_FDCWD, path,
			  O_WRONLY | O_CREAT | O_APPEND, 0644);

	if (fd < 0 || raw_call(SYS_dup3, fd, LOG_FD, O_CLOEXEC) != LOG_FD)
		tell_failure("the log cannot be opened");
	raw_call(SYS_close, fd);
	snprintf(log_name, sizeof(log_name), "%s", path);
}

const char *tell_log(void)
{
	return log_name;
}

void tell_as(pid_t pid, pid_t tid)
{
	other_pid = pid;
	other_tid = tid;
}

static long own(pid_t other, long number)
{
	return other ? other : raw_call(number);
}

/* Appended at once, so that lines of threads and processes do not mix. */
static void put_line(const char *symbol, const char *result,
		     const char *fields, va_list list)
{
	char line[LINE];
	size_t used;

	used = (size_t)snprintf(line, sizeof(line),
				"{'pid':%ld,'tid':%ld,'symbol':'%s'%s,",
				own(other_pid, SYS_getpid),
				own(other_tid, SYS_gettid), symbol, result);
	used += (size_t)vsnprintf(line + used, sizeof(line) - used, fields,
				  list);
	if (used + 3 > sizeof(line))
		tell_failure("a line of the log is too long");
	used -= line[used - 1] == ','; /* there were no fields */
	memcpy(line + used, "}\n", 2);
	used += 2;
	for (size_t i = 0; i < used; i++)
		if (line[i] == '\'')
			line[i] = '"';
	if (raw_call(SYS_write, LOG_FD, line, used) != (long)used)
		tell_failure("the log cannot be written");
}

void tell(const char *symbol, long ret, const char *fields, ...)
{
	int err = errno;
	char result[64];
	va_list list;

	snprintf(result, sizeof(result), ",'ret':%ld,'errno':%d", ret,
		 ret == -1 ? err : 0);
	va_start(list, fields);
	put_line(symbol, result, fields, list);
	va_end(list);
	errno = err;
}

void tell_errnum(const char *symbol, int err, const char *fields, ...)
{
	char result[64];
	va_list list;

	snprintf(result, sizeof(result), ",'ret':%d,'errno':%d", err ? -1 : 0,
		 err);
	va_start(list, fields);
	put_line(symbol, result, fields, list);
	va_end(list);
}

void tell_any(const char *symbol, const char *fields, ...)
{
	va_list list;

	va_start(list, fields);
	put_line(symbol, "", fields, list);
	va_end(list);
}

void tell_entered(const char *symbol, const char *fields, ...)
{
	va_list list;

	va_start(list, fields);
	put_line(symbol, ",'entered':true", fields, list);
	va_end(list);
}

static void put_silent(const char *symbol, ...)
{
	va_list list;

	va_start(list, symbol);
	put_line(symbol, ",'silent':true", "", list);
	va_end(list);
}

void tell_silent(const char *symbol)
{
	put_silent(symbol);
}

static void put_system_call(const char *fields, ...)
{
	va_list list;

	va_start(list, fields);
	put_line("syscall", ",'silent':true", fields, list);
	va_end(list);
}

void tell_system_call(const char *name)
{
	put_system_call("'sys':'%s'", name);
}

const char *tell_vector(const struct iovec *vec, int count)
{
	static __thread char text[8192];
	size_t used = 0;

	text[used++] = '[';
	for (int i = 0; i < count; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s[%lu,%zu]", i ? "," : "",
					 (unsigned long)vec[i].iov_base,
					 vec[i].iov_len);
	snprintf(text + used, sizeof(text) - used, "]");
	return text;
}

static long long in_ns(struct timespec t)
{
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

const char *tell_stat(const struct stat *st)
{
	static __thread char text[512];

	snprintf(text, sizeof(text),
		 "[%lu,%lu,%u,%lu,%u,%u,%lu,%ld,%lld,%lld,%lld,%ld,%ld]",
		 st->st_dev, st->st_ino, st->st_mode, st->st_nlink,
		 st->st_uid, st->st_gid, st->st_rdev, st->st_size,
		 in_ns(st->st_atim), in_ns(st->st_mtim), in_ns(st->st_ctim),
		 st->st_blksize, st->st_blocks);
	return text;
}
