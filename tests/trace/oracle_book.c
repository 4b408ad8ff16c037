/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's own books: which descriptor is which file, and where in it. */
#include "oracle_book.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DESCRIPTORS 4096
#define PATH        512

struct file {
	char path[PATH];
	long position;
	int users;
	bool append, stream, shared;
	bool doubtful; /* we know the position, others need not */
	bool unsure;   /* appended: nobody knows it */
};

static struct file *files[DESCRIPTORS];
static bool cloexecs[DESCRIPTORS];
static char cwd[PATH];

void book_chdir(const char *absolute)
{
	snprintf(cwd, sizeof(cwd), "%s", absolute);
}

const char *book_absolute(const char *path)
{
	static __thread char text[2 * PATH];

	if (path[0] == '/')
		return path;
	snprintf(text, sizeof(text), "%s/%s", cwd, path);
	return text;
}

static struct file *file_of(int fd)
{
	return fd >= 0 && fd < DESCRIPTORS ? files[fd] : NULL;
}

static void book(int fd, struct file *file, bool cloexec)
{
	if (fd < 0 || fd >= DESCRIPTORS)
		tell_failure("a descriptor beyond the books");
	book_close(fd);
	file->users++;
	files[fd] = file;
	cloexecs[fd] = cloexec;
}

void book_open(int fd, const char *absolute, int flags)
{
	struct file *file = calloc(1, sizeof(*file));

	if (!file)
		tell_failure("no memory");
	snprintf(file->path, sizeof(file->path), "%s", absolute);
	file->append = flags & O_APPEND;
	book(fd, file, flags & O_CLOEXEC);
}

void book_stream(int fd)
{
	book_open(fd, "", 0);
	files[fd]->stream = true;
}

void book_dup(int from, int to, bool cloexec)
{
	book(to, files[from], cloexec);
}

void book_close(int fd)
{
	struct file *file = file_of(fd);

	if (!file)
		return;
	files[fd] = NULL;
	if (!--file->users)
		free(file);
}

void book_sweep(unsigned first, unsigned last)
{
	for (unsigned fd = first; fd <= last && fd < DESCRIPTORS; fd++)
		book_close((int)fd);
}

void book_set_append(int fd, bool append)
{
	files[fd]->append = append;
}

void book_set_cloexec(int fd, bool cloexec)
{
	cloexecs[fd] = cloexec;
}

void book_share(bool but_not_cloexec)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++)
		if (files[fd] && !(but_not_cloexec && cloexecs[fd]))
			files[fd]->shared = true;
}

void book_seek(int fd, long position)
{
	files[fd]->position = position;
	files[fd]->unsure = files[fd]->doubtful = false;
}

void book_doubt(int fd, long moved)
{
	struct file *file = file_of(fd);

	if (!file)
		return;
	file->doubtful = true;
	if (moved > 0)
		file->position += moved;
}

long book_position(int fd)
{
	return files[fd]->position;
}

const char *book_name(int fd)
{
	static __thread char text[PATH + 64];
	struct file *file = file_of(fd);

	if (!file)
		snprintf(text, sizeof(text), "'fd':%d,'path':null", fd);
	else if (file->stream)
		snprintf(text, sizeof(text), "'fd':%d", fd);
	else
		snprintf(text, sizeof(text), "'fd':%d,'path':'%s'", fd,
			 file->path);
	return text;
}

static void write_position(const struct file *file, bool appends, char *text,
			   size_t room)
{
	if (!file || file->stream || file->shared || file->unsure || appends)
		snprintf(text, room, "'off':null");
	else
		snprintf(text, room, "'%s':%ld",
			 file->doubtful ? "may_off" : "off", file->position);
}

static void transfer(const char *symbol, int fd, size_t size, long ret,
		     const char *args)
{
	struct file *file = file_of(fd);
	bool appends = file && file->append && strstr(symbol, "write") &&
		       ret >= 0;
	char position[64];

	write_position(file, appends, position, sizeof(position));
	tell(symbol, ret, "%s,%s,'size':%zu%s", book_name(fd), position, size,
	     args);
	if (file && ret > 0)
		file->position += ret;
	if (appends)
		file->unsure = true;
}

void book_transfer(const char *symbol, int fd, size_t size, long ret)
{
	transfer(symbol, fd, size, ret, "");
}

void book_transfer_args(const char *symbol, int fd, size_t size, long ret,
			const char *args, ...)
{
	char text[1024] = ",'args':{";
	size_t used = strlen(text);
	va_list list;

	va_start(list, args);
	used += (size_t)vsnprintf(text + used, sizeof(text) - used, args,
				  list);
	va_end(list);
	if (used + 2 > sizeof(text))
		tell_failure("too many arguments for a line");
	memcpy(text + used, "}", 2);
	transfer(symbol, fd, size, ret, text);
}

int book_do_open(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags, mode);

	if (fd >= 0)
		book_open(fd, book_absolute(path), flags);
	tell("open", fd, "'path':'%s','args':{'flags':%d,'mode':%d}",
	     book_absolute(path), flags, flags & O_CREAT ? (int)mode : -1);
	return fd;
}

void book_do_close(int fd)
{
	int ret = close(fd);

	tell("close", ret, "%s", book_name(fd));
	book_close(fd);
}
