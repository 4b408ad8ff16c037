/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plays the part of Lustre for files below $STANDIN_PLACE: preloaded behind
 * weir, it sees what weir asks of the system, and writes it to $STANDIN_LOG:
 *
 *	open NAME FLAGS			(hexadecimal; files that are made)
 *	setstripe NAME REQUEST BYTES	(the struct, hexadecimal)
 *
 * Layouts are kept beside the files as NAME.lov. As Lustre does, it gives a
 * file that is made in the usual way the usual stripes, refuses to change those
 * that a file has, and has no more than eight targets.
 */
#include "../../lib/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/types.h>
#include <sys/xattr.h>

#define LUSTRE	     0x0bd00bd0
#define SET_STRIPE   0x4008669aul
#define LATER	     (O_NOCTTY | O_ASYNC)
#define TARGETS	     8
#define CHOSEN	     5 /* target, where nobody asks for one */
#define USUAL_SIZE   (1u << 20)
#define HEAD	     32
#define OBJECT	     24

/* As libc's functions tell failure. */
static long as_libc(long ret)
{
	if (ret >= 0)
		return ret;
	errno = (int)-ret;
	return -1;
}

static int is_there(const char *name)
{
	const char *place = getenv("STANDIN_PLACE");

	return place && name && !strncmp(name, place, strlen(place));
}

static void say(const char *text)
{
	const char *path = getenv("STANDIN_LOG");
	int fd = (int)raw_call(SYS_openat, AT_FDCWD, path ? path : "",
			      O_WRONLY | O_APPEND | O_CREAT, 0644);

	if (fd < 0)
		return;
	if (raw_call(SYS_write, fd, text, strlen(text)) < 0)
		abort();
	raw_call(SYS_close, fd);
}

static void name_of(int fd, char name[4096])
{
	char link[64];
	long got;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	got = raw_call(SYS_readlinkat, AT_FDCWD, link, name, 4000);
	name[got > 0 ? got : 0] = 0;
}

static int open_layout(const char *name, int flags)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s.lov", name);
	return (int)raw_call(SYS_openat, AT_FDCWD, path, flags, 0644);
}

static long read_layout(const char *name, unsigned char bytes[4096])
{
	int fd = open_layout(name, O_RDONLY);
	long got = fd < 0 ? 0 : raw_call(SYS_read, fd, bytes, 4096);

	if (fd >= 0)
		raw_call(SYS_close, fd);
	return got;
}

/* With an object for each stripe, the first on the first target. */
static void keep_layout(const char *name, const void *asked)
{
	unsigned char bytes[4096] = { 0 };
	uint32_t size, first;
	uint16_t count, offset;
	int fd = open_layout(name, O_WRONLY | O_CREAT | O_TRUNC);

	memcpy(bytes, asked, HEAD);
	memcpy(&size, bytes + 24, 4);
	memcpy(&count, bytes + 28, 2);
	memcpy(&offset, bytes + 30, 2);
	size = size ? size : USUAL_SIZE;
	count = !count ? 1 : count > TARGETS ? TARGETS : count;
	first = offset == 0xffff ? CHOSEN : offset;
	bytes[4] = 1;
	memcpy(bytes + 24, &size, 4);
	memcpy(bytes + 28, &count, 2);
	memset(bytes + 30, 0, 2);
	memcpy(bytes + HEAD + 20, &first, 4);
	if (fd < 0 || raw_call(SYS_write, fd, bytes, HEAD + count * OBJECT) < 0)
		abort();
	raw_call(SYS_close, fd);
}

static void meet_new(int fd, int flags)
{
	static const unsigned char usual[HEAD] = {
		0xd0, 0x0b, 0xd1, 0x0b, [30] = 0xff, 0xff,
	};
	char name[4096], text[4300];
	unsigned char bytes[4096];

	name_of(fd, name);
	if (!is_there(name) || !(flags & O_CREAT))
		return;
	snprintf(text, sizeof(text), "open %s %x\n", name, (unsigned)flags);
	say(text);
	if ((flags & LATER) != LATER && !read_layout(name, bytes))
		keep_layout(name, usual);
}

static int open_it(int dir, const char *path, int flags, unsigned mode)
{
	int fd = (int)as_libc(raw_call(SYS_openat, dir, path, flags, mode));

	if (fd >= 0)
		meet_new(fd, flags);
	return fd;
}

/* Both names of each: libc's own headers may choose the second. */
int open64(const char *path, int flags, ...)
{
	unsigned mode;
	va_list list;

	va_start(list, flags);
	mode = va_arg(list, unsigned);
	va_end(list);
	return open_it(AT_FDCWD, path, flags, mode);
}

int openat64(int dir, const char *path, int flags, ...)
{
	unsigned mode;
	va_list list;

	va_start(list, flags);
	mode = va_arg(list, unsigned);
	va_end(list);
	return open_it(dir, path, flags, mode);
}

int creat64(const char *path, unsigned mode)
{
	return open_it(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int open(const char *path, int flags, ...)
	__attribute__((alias("open64")));
int openat(int dir, const char *path, int flags, ...)
	__attribute__((alias("openat64")));
int creat(const char *path, unsigned mode) __attribute__((alias("creat64")));

static int set_stripe(int fd, unsigned long request, const void *asked)
{
	char name[4096], text[4300];
	unsigned char bytes[4096];
	size_t used;

	name_of(fd, name);
	if (!is_there(name)) {
		errno = ENOTTY;
		return -1;
	}
	if (read_layout(name, bytes)) {
		errno = EEXIST;
		return -1;
	}
	if (strstr(name, "refused")) {
		errno = EINVAL;
		return -1;
	}
	used = (size_t)snprintf(text, sizeof(text), "setstripe %s %lx ", name,
				request);
	for (int i = 0; i < HEAD; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%02x",
					 ((const unsigned char *)asked)[i]);
	strcpy(text + used, "\n");
	say(text);
	keep_layout(name, asked);
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	void *argument;
	va_list list;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (request == SET_STRIPE)
		return set_stripe(fd, request, argument);
	return (int)as_libc(raw_call(SYS_ioctl, fd, request, argument));
}

ssize_t fgetxattr(int fd, const char *key, void *to, size_t room)
{
	char name[4096];
	unsigned char bytes[4096];
	long got;

	name_of(fd, name);
	if (!is_there(name) || strcmp(key, "lustre.lov"))
		return as_libc(raw_call(SYS_fgetxattr, fd, key, to, room));
	got = read_layout(name, bytes);
	if (got <= 0 || (size_t)got > room) {
		errno = got <= 0 ? ENODATA : ERANGE;
		return -1;
	}
	memcpy(to, bytes, (size_t)got);
	return got;
}

int statfs(const char *path, struct statfs *st)
{
	long ret = as_libc(raw_call(SYS_statfs, path, st));
	long fd = raw_call(SYS_openat, AT_FDCWD, path, O_PATH);
	char whole[4096] = "";

	if (fd >= 0) {
		name_of((int)fd, whole);
		raw_call(SYS_close, fd);
	}
	if (!ret && is_there(whole))
		st->f_type = LUSTRE;
	return (int)ret;
}
