/* SPDX-License-Identifier: BSD-3-Clause */
/* How streams begin and end, alone, with others and with the program. */
#include "oracle_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

int _IO_fclose(FILE *f);
FILE *old_fmemopen(void *buf, size_t len, const char *mode);
__asm__(".symver old_fmemopen, fmemopen@GLIBC_2.2.5");

static char data[10000];

static void told_fdopen(FILE *f, int fd, const char *mode)
{
	tell("fdopen", f ? fd : -1, "%s,'args':{'mode':'%s'}", book_name(fd),
	     mode);
}

static void play_open_stream(long count)
{
	FILE *f = fopen64("file", "w"), *g;
	int fd, copy;

	tell("fopen64", f->_fileno, "'path':'%s','args':{'mode':'w'}",
	     book_absolute("file"));
	book_open(f->_fileno, book_absolute("file"), 0);
	watch_new(f, 0);
	watch_fwrite(f, 10);
	watch_put(f);
	watch_told("fflush", fflush(f), NO_FIELDS);
	copy = dup(f->_fileno);
	tell("dup", copy, "%s", book_name(f->_fileno));
	book_dup(f->_fileno, copy, false);
	tell("write", write(copy, data, 5), "%s,'off':10,'size':5",
	     book_name(copy));
	watch_new(f, 15);
	watch_fwrite(f, 10);
	fd = f->_fileno;
	tell("stream_flush", 10, "%s,'depth':1,'off':15,'size':10",
	     book_name(fd));
	tell("_IO_fclose", _IO_fclose(f), "%s", book_name(fd));
	book_close(fd);
	tell("write", write(copy, data, 5), "%s,'off':25,'size':5",
	     book_name(copy));
	g = fdopen(copy, "w");
	told_fdopen(g, copy, "w");
	watch_new(g, 30);
	watch_fwrite(g, 10);
	watch_fclose(g);
	told_fdopen(fdopen(999, "r"), 999, "r");
	f = tmpfile();
	tell("tmpfile", f->_fileno, NO_FIELDS);
	book_stream(f->_fileno);
	watch_new(f, 0);
	watch_fwrite(f, 10);
	watch_fclose(f);
	f = tmpfile64();
	tell("tmpfile64", f->_fileno, NO_FIELDS);
	book_stream(f->_fileno);
	watch_new(f, 0);
	watch_fwrite(f, 5000);
	watch_fclose(f);
}

/* The same stream, another file: what was pending is written first. */
static FILE *do_freopen(const char *symbol, FILE *f, const char *path,
			const char *mode, long pending)
{
	long at = raw_call(SYS_lseek, f->_fileno, 0, SEEK_CUR);
	FILE *new = !strcmp(symbol, "freopen") ? freopen(path, mode, f)
					       : freopen64(path, mode, f);

	if (pending)
		tell("stream_flush", pending,
		     "%s,'depth':1,'off':%ld,'size':%ld", book_name(f->_fileno),
		     at, pending);
	tell(symbol, new ? new->_fileno : -1, "'args':{'mode':'%s'}", mode);
	if (path && new)
		book_open(new->_fileno, book_absolute(path), 0);
	if (new)
		watch_new(new, 0);
	return new;
}

static void play_reopen(long count)
{
	FILE *f = watch_fopen("one", "w");

	watch_fwrite(f, 10);
	f = do_freopen("freopen", f, "two", "w+", 10);
	watch_fwrite(f, 5000);
	f = do_freopen("freopen64", f, "three", "w+", 5000 % 4096);
	watch_fwrite(f, 7);
	f = do_freopen("freopen", f, NULL, "r+", 7);
	watch_fread(f, 5);
	watch_fwrite(f, 0);
	do_freopen("freopen", f, "no/such/file", "r", 0);
}

/* Streams in memory have no descriptor, and no place that is followed. */
static void told_unnamed(const char *symbol, FILE *f, const char *name)
{
	tell(symbol, f ? 0 : -1, "'path':'%s'", name);
}

static void told_inside(const char *symbol, const char *name, long size,
			long ret)
{
	tell(symbol, ret, "'fd':-1,'path':'%s','off':null,'size':%ld", name,
	     size);
}

static void told_end(FILE *f, const char *name)
{
	tell("fclose", fclose(f), "'fd':-1,'path':'%s'", name);
}

static void play_memory(long count)
{
	char room[100], *grown = NULL;
	wchar_t *wide = NULL;
	size_t len;
	FILE *f = fmemopen(room, sizeof(room), "w+");

	told_unnamed("fmemopen", f, "memory");
	told_inside("fwrite", "memory", 10, (long)fwrite(data, 1, 10, f));
	told_end(f, "memory");
	f = old_fmemopen(room, sizeof(room), "r");
	told_unnamed("fmemopen", f, "memory");
	told_inside("fread", "memory", 7, (long)fread(data, 1, 7, f));
	told_end(f, "memory");
	f = fmemopen(room, 10, "?");
	tell("fmemopen", f ? 0 : -1, NO_FIELDS);
	f = open_memstream(&grown, &len);
	told_unnamed("open_memstream", f, "memory");
	told_inside("fputs", "memory", 4, fputs("text", f) < 0 ? -1 : 4);
	told_end(f, "memory");
	free(grown);
	f = open_wmemstream(&wide, &len);
	told_unnamed("open_wmemstream", f, "memory");
	told_inside("fputws", "memory", 4, fputws(L"text", f) < 0 ? -1 : 4);
	told_end(f, "memory");
	free(wide);
}

/* The program's own functions run inside the calls, and are told there. */
static int cookie_fd;

static ssize_t cookie_write(void *cookie, const char *buf, size_t size)
{
	ssize_t ret = write(cookie_fd, buf, size);

	tell("write", ret, "%s,'size':%zu,'depth':1", book_name(cookie_fd),
	     size);
	return ret;
}

static ssize_t cookie_read(void *cookie, char *buf, size_t size)
{
	ssize_t ret = pread(cookie_fd, buf, 20, 0);

	tell("pread", ret, "%s,'off':0,'size':20,'depth':1",
	     book_name(cookie_fd));
	return ret;
}

static int cookie_close(void *cookie)
{
	int ret = close(cookie_fd);

	tell("close", ret, "%s,'depth':1", book_name(cookie_fd));
	return ret;
}

static void play_cookie(long count)
{
	cookie_io_functions_t functions = {
		.read = cookie_read,
		.write = cookie_write,
		.close = cookie_close,
	};
	FILE *f;

	cookie_fd = book_do_open("file", O_RDWR | O_CREAT, 0644);
	f = fopencookie(NULL, "r+", functions);
	told_unnamed("fopencookie", f, "cookie");
	told_inside("fwrite", "cookie", 10, (long)fwrite(data, 1, 10, f));
	tell("fflush", fflush(f), "'fd':-1,'path':'cookie'");
	told_inside("fwrite", "cookie", 5000, (long)fwrite(data, 1, 5000, f));
	tell("fflush", fflush(f), "'fd':-1,'path':'cookie'");
	told_inside("fread", "cookie", 7, (long)fread(data, 1, 7, f));
	told_inside("fread", "cookie", 7, (long)fread(data, 1, 7, f));
	told_end(f, "cookie");
}

/* Pipes have no places, but what went through them is known. */
static void play_stream_pipe(long count)
{
	FILE *in, *out;
	int ends[2];

	if (pipe(ends))
		tell_failure("pipe");
	tell("pipe", 0, "'args':{'fds':[%d,%d]}", ends[0], ends[1]);
	book_stream(ends[0]);
	book_stream(ends[1]);
	in = fdopen(ends[0], "r");
	told_fdopen(in, ends[0], "r");
	out = fdopen(ends[1], "w");
	told_fdopen(out, ends[1], "w");
	watch_new(in, NO_PLACE);
	watch_new(out, NO_PLACE);
	watch_fwrite(out, 100);
	watch_put(out);
	watch_expect("stream_flush", 100);
	watch_told("fflush", fflush(out), NO_FIELDS);
	watch_expect("stream_fill", 100);
	watch_fread(in, 60);
	watch_fread(in, 40);
	watch_fclose(out);
	watch_fread(in, 40);
	watch_fclose(in);
	unsetenv("LD_PRELOAD"); /* the shell is not to be recorded */
	in = popen("echo hello", "r");
	tell("popen", in->_fileno, "'args':{'command':'echo hello',"
	     "'mode':'r'}");
	book_stream(in->_fileno);
	watch_new(in, NO_PLACE);
	watch_expect("stream_fill", 6);
	watch_fread(in, 40);
	tell("pclose", pclose(in), "'fd':%d", in->_fileno);
}

static void await(pid_t pid)
{
	if (waitpid(pid, NULL, 0) != pid)
		tell_failure("a child is lost");
}

/* A child has its parent's buffers, and writes what they hold once more. */
static void play_stream_fork(long count)
{
	FILE *f = watch_fopen("file", "w");
	pid_t pid;

	watch_fwrite(f, 10);
	pid = fork();
	watch_new(f, NO_PLACE);
	if (!pid) {
		watch_fwrite(f, 3);
		tell("stream_flush", 13, "%s,'depth':0,'off':null,'size':13",
		     book_name(f->_fileno));
		exit(0);
	}
	await(pid);
	watch_fwrite(f, 2);
	pid = fork();
	if (!pid) { /* never touches it */
		tell("stream_flush", 12, "%s,'depth':0,'off':null,'size':12",
		     book_name(f->_fileno));
		exit(0);
	}
	await(pid);
	pid = fork();
	if (!pid) {
		tell_silent("_Exit");
		_Exit(0); /* what is pending stays unwritten */
	}
	await(pid);
	watch_fclose(f);
}

static void play_stream_exit(long count)
{
	FILE *f = watch_fopen("file", "w"), *g;

	watch_fwrite(f, 5000);
	g = watch_fopen("other", "w");
	watch_fwrite(g, 10);
	tell("stream_flush", 10, "%s,'depth':0,'off':0,'size':10",
	     book_name(g->_fileno));
	tell("stream_flush", 904, "%s,'depth':0,'off':4096,'size':904",
	     book_name(f->_fileno));
	exit(0);
}

static void play_stream__exit(long count)
{
	FILE *f = watch_fopen("file", "w");

	watch_fwrite(f, 10);
	tell_silent("_exit");
	_exit(0);
}

static void play_stream_all(long count)
{
	FILE *f = watch_fopen("file", "w"), *g = watch_fopen("other", "w");

	watch_fwrite(f, 10);
	watch_fwrite(g, 20);
	tell("stream_flush", 20, "%s,'depth':1,'off':0,'size':20",
	     book_name(g->_fileno));
	tell("stream_flush", 10, "%s,'depth':1,'off':0,'size':10",
	     book_name(f->_fileno));
	tell("fflush", fflush(NULL), NO_FIELDS);
	watch_fwrite(f, 10);
	*f->_IO_write_ptr++ = 'x'; /* an inline putc_unlocked: no call */
	tell("stream_flush", 11, "%s,'depth':1,'off':10,'size':11",
	     book_name(f->_fileno));
	tell("fflush", fflush(NULL), NO_FIELDS);
	watch_new(f, 21);
	watch_fwrite(f, 10);
	tell("stream_flush", 10, "%s,'depth':1,'off':21,'size':10",
	     book_name(f->_fileno));
	tell("fcloseall", fcloseall(), NO_FIELDS);
}

/* Who reads from a terminal first sees what he was asked. */
static void play_prompt(long count)
{
	FILE *own = stdout, *in, *out;

	oracle_make_file("answers", 100);
	out = stdout = watch_fopen("questions", "w");
	in = watch_fopen("answers", "r");
	setvbuf(out, NULL, _IOLBF, 0);
	tell_any("setvbuf", "%s", book_name(out->_fileno));
	setvbuf(in, NULL, _IONBF, 0);
	tell_any("setvbuf", "%s", book_name(in->_fileno));
	watch_put(out);
	watch_moved("fputs", 4, fputs("what", out) < 0 ? -1 : 4);
	watch_get(in);
	fgetc(in);
	tell("stream_flush", 4, "%s,'depth':1,'off':0,'size':4",
	     book_name(out->_fileno));
	watch_moved("fgetc", 1, 1);
	tell("write", write(out->_fileno, "!", 1), "%s,'off':4,'size':1",
	     book_name(out->_fileno));
	watch_fclose(in);
	watch_fclose(out);
	stdout = own;
}

/* A vfork child closes what its parent goes on to use. */
static void play_stream_vfork(long count)
{
	FILE *f = watch_fopen("file", "w"), *g = watch_fopen("other", "w");
	pid_t own = getpid(), thread = gettid(), pid;
	volatile int fd = g->_fileno;

	watch_fwrite(f, 10);
	pid = vfork();
	if (!pid) {
		tell_as(own, thread);
		tell("fclose", fclose(g), "'fd':%d,'vfork':true", fd);
		_exit(0);
	}
	tell_as(0, 0);
	tell("vfork", pid, NO_FIELDS);
	await(pid);
	watch_new(f, NO_PLACE);
	tell("write", write(fd, data, 5), "%s,'off':null,'size':5",
	     book_name(fd));
	watch_fwrite(f, 10);
	tell("stream_flush", 20, "%s,'depth':0,'off':null,'size':20",
	     book_name(f->_fileno));
	exit(0);
}

const struct scenario oracle_lives[] = {
	{ "open-stream", play_open_stream },
	{ "reopen", play_reopen },
	{ "memory", play_memory },
	{ "cookie", play_cookie },
	{ "stream-pipe", play_stream_pipe },
	{ "stream-fork", play_stream_fork },
	{ "stream-exit", play_stream_exit },
	{ "stream-_exit", play_stream__exit },
	{ "stream-all", play_stream_all },
	{ "prompt", play_prompt },
	{ "stream-vfork", play_stream_vfork },
	{ NULL, NULL },
};
