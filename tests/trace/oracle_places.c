/* SPDX-License-Identifier: BSD-3-Clause */
/* Where streams are: seeking, both ways, odd buffers, what goes wrong. */
#include "oracle_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

long _IO_ftell(FILE *f);
int _IO_fgetpos(FILE *f, fpos_t *pos);
int _IO_fgetpos64(FILE *f, fpos64_t *pos);
int _IO_fsetpos(FILE *f, const fpos_t *pos);
int _IO_fsetpos64(FILE *f, const fpos64_t *pos);
int _IO_setvbuf(FILE *f, char *buf, int mode, size_t size);
void _IO_setbuffer(FILE *f, char *buf, size_t size);
int _IO_ungetc(int c, FILE *f);

static char data[10000];

static const struct {
	const char *symbol;
	long (*call)(FILE *f);
} tellers[] = {
	{ "ftell", ftell }, { "ftello", ftello }, { "ftello64", ftello64 },
	{ "_IO_ftell", _IO_ftell },
};

static const struct {
	const char *symbol;
	int (*call)(FILE *f, long off, int whence);
} seekers[] = {
	{ "fseek", fseek }, { "fseeko", fseeko }, { "fseeko64", fseeko64 },
};

static void told_ftell(FILE *f)
{
	for (size_t i = 0; i < ELEMENTS(tellers); i++) {
		watch_quiet(f);
		watch_told(tellers[i].symbol, tellers[i].call(f), NO_FIELDS);
	}
}

/* The block of the place is read, unless it is there already. */
static void told_fseek(FILE *f, size_t seeker, long off, int whence,
		       long filled, long at)
{
	int ret;

	watch_quiet(f);
	ret = seekers[seeker].call(f, off, whence);
	if (filled)
		tell("stream_fill", filled, "%s,'depth':1,'off':%ld,"
		     "'size':%ld", book_name(f->_fileno), at, filled);
	watch_told(seekers[seeker].symbol, ret,
		   "'args':{'off':%ld,'whence':%d}", off, whence);
	if (!ret)
		watch_go(ftell(f)), tell_any("ftell", "'fd':%d", f->_fileno);
}

static void told_positions(FILE *f)
{
	fpos_t pos;
	fpos64_t pos64;

	watch_quiet(f);
	watch_told("fgetpos", fgetpos(f, &pos), NO_FIELDS);
	watch_quiet(f);
	watch_told("fgetpos64", fgetpos64(f, &pos64), NO_FIELDS);
	watch_quiet(f);
	watch_told("_IO_fgetpos", _IO_fgetpos(f, &pos), NO_FIELDS);
	watch_quiet(f);
	watch_told("_IO_fgetpos64", _IO_fgetpos64(f, &pos64), NO_FIELDS);
	watch_quiet(f);
	watch_told("fsetpos", fsetpos(f, &pos), NO_FIELDS);
	watch_quiet(f);
	watch_told("fsetpos64", fsetpos64(f, &pos64), NO_FIELDS);
	watch_quiet(f);
	watch_told("_IO_fsetpos", _IO_fsetpos(f, &pos), NO_FIELDS);
	watch_quiet(f);
	watch_told("_IO_fsetpos64", _IO_fsetpos64(f, &pos64), NO_FIELDS);
}

static void play_seek_stream(long count)
{
	FILE *f;

	oracle_make_file("bytes", 10000);
	f = watch_fopen("bytes", "r");
	told_ftell(f);
	watch_fread(f, 10);
	told_ftell(f);
	told_fseek(f, 0, 5000, SEEK_SET, 4096, 4096);
	told_ftell(f);
	watch_fread(f, 10);
	told_positions(f);
	told_fseek(f, 1, -20, SEEK_CUR, 0, 0);
	told_fseek(f, 2, 4100, SEEK_SET, 0, 0);
	watch_fread(f, 10);
	told_fseek(f, 0, -1, SEEK_END, 10000 - 8192, 8192);
	watch_fread(f, 10);
	told_fseek(f, 0, 0, SEEK_END, 10000 - 8192, 8192);
	/* What is read in vain on the way beyond the end. */
	told_fseek(f, 0, 10, SEEK_END, 10000 - 8192, 8192);
	told_fseek(f, 0, 100000, SEEK_SET, 0, 0);
	told_fseek(f, 0, -1, SEEK_SET, 0, 0);
	told_fseek(f, 0, 0, 77, 0, 0);
	told_ftell(f);
	watch_quiet(f);
	rewind(f);
	watch_told("rewind", 0, NO_FIELDS);
	watch_go(0);
	watch_fread(f, 5000);
	watch_fclose(f);
}

/* Reading and writing by turns: libc goes back to where the program is. */
static void play_update(long count)
{
	FILE *f;
	int fd;

	oracle_make_file("bytes", 10000);
	f = watch_fopen("bytes", "r+");
	fd = f->_fileno;
	watch_fread(f, 100);
	watch_quiet(f);
	watch_moved("fwrite", 50, (long)fwrite(data, 1, 50, f));
	watch_quiet(f);
	tell("stream_flush", 50, "%s,'depth':1,'off':100,'size':50",
	     book_name(fd));
	watch_told("fflush", fflush(f), NO_FIELDS);
	watch_fread(f, 100);
	watch_quiet(f);
	watch_told("fflush", fflush(f), NO_FIELDS); /* goes back to 250 */
	tell("read", read(fd, data, 5), "%s,'off':250,'size':5",
	     book_name(fd));
	watch_go(255);
	watch_fread(f, 10);
	watch_quiet(f);
	tell("stream_flush", 4096, "%s,'depth':1,'off':265,'size':4096",
	     book_name(fd));
	watch_moved("fwrite", 6000, (long)fwrite(data, 1, 6000, f));
	watch_fclose(f);
}

static void told_setvbuf(FILE *f, int mode, char *buf, size_t size)
{
	watch_put(f);
	watch_told("setvbuf", setvbuf(f, buf, mode, size),
		   "'size':%zu,'args':{'mode':%d}", size, mode);
}

static void scribble(FILE *f)
{
	watch_fwrite(f, 3);
	watch_put(f);
	watch_moved("fputs", 8, fputs("line\nrem", f) < 0 ? -1 : 8);
	watch_put(f);
	watch_moved("fputc", 1, fputc('\n', f) == EOF ? -1 : 1);
	watch_fwrite(f, 500);
	watch_fwrite(f, 0);
	watch_put(f);
	watch_moved("fprintf", 105, fprintf(f, "%100d\nrest", 7));
}

static void play_buffers(long count)
{
	static char own[4096];
	FILE *f = watch_fopen("file", "w+");

	scribble(f);
	told_setvbuf(f, _IONBF, NULL, 0);
	scribble(f);
	told_setvbuf(f, _IOLBF, own, 100);
	scribble(f);
	told_setvbuf(f, _IOFBF, own, 7);
	scribble(f);
	told_setvbuf(f, _IOFBF, own, 1);
	scribble(f);
	watch_put(f);
	setbuf(f, NULL);
	watch_told("setbuf", 0, NO_FIELDS);
	scribble(f);
	watch_put(f);
	setbuffer(f, own, 64);
	watch_told("setbuffer", 0, "'size':64");
	scribble(f);
	watch_put(f);
	setlinebuf(f);
	watch_told("setlinebuf", 0, NO_FIELDS);
	scribble(f);
	watch_put(f);
	watch_told("_IO_setvbuf", _IO_setvbuf(f, own, _IOFBF, 512),
		   "'size':512,'args':{'mode':0}");
	scribble(f);
	watch_put(f);
	_IO_setbuffer(f, own, 1000);
	watch_told("_IO_setbuffer", 0, "'size':1000");
	scribble(f);
	watch_quiet(f);
	__fpurge(f); /* that is lost: the kernel never hears of it */
	watch_told("__fpurge", 0, NO_FIELDS);
	watch_go(raw_call(SYS_lseek, f->_fileno, 0, SEEK_CUR));
	scribble(f);
	watch_quiet(f);
	watch_told("fileno", fileno(f), NO_FIELDS);
	watch_quiet(f);
	watch_told("fileno_unlocked", fileno_unlocked(f), NO_FIELDS);
	watch_fclose(f);
}

static void told_unget(FILE *f, const char *symbol,
		       int (*call)(int c, FILE *f), int c, long place)
{
	watch_quiet(f);
	call(c, f);
	watch_moved(symbol, 1, 1);
	watch_go(place);
}

static void play_unget(long count)
{
	FILE *f;

	oracle_make_file("bytes", 10000);
	f = watch_fopen("bytes", "r");
	watch_fread(f, 100);
	told_unget(f, "ungetc", ungetc, 99, 99); /* what was there */
	watch_fread(f, 2);
	told_unget(f, "_IO_ungetc", _IO_ungetc, 'x', 100);
	told_unget(f, "ungetc", ungetc, 'y', 99);
	watch_fread(f, 1);
	watch_fread(f, 10);
	told_unget(f, "ungetc", ungetc, 'y', 109);
	told_ftell(f);
	watch_fread(f, 6000);
	watch_fseek(f, 0, SEEK_SET);
	told_unget(f, "ungetc", ungetc, 'y', NO_PLACE); /* before the start */
	watch_fread(f, 1);
	watch_go(0);
	watch_fread(f, 1);
	watch_fclose(f);
}

/* Where appended bytes go nobody knows beforehand. */
static void play_append(long count)
{
	FILE *f;
	int fd;

	oracle_make_file("bytes", 10000);
	f = watch_fopen("bytes", "a");
	watch_fwrite(f, 100);
	watch_fwrite(f, 5000);
	watch_fclose(f);
	f = watch_fopen("bytes", "a+");
	watch_fread(f, 10);
	watch_go(NO_PLACE);
	watch_quiet(f);
	watch_moved("fwrite", 10, (long)fwrite(data, 1, 10, f));
	watch_fclose(f);
	fd = book_do_open("bytes", O_WRONLY | O_APPEND, 0);
	f = fdopen(fd, "w"); /* it does not know that it appends */
	tell("fdopen", fd, "'fd':%d,'args':{'mode':'w'}", fd);
	watch_new(f, NO_PLACE);
	watch_fwrite(f, 10);
	watch_quiet(f);
	watch_expect("stream_flush", 10);
	watch_told("fflush", fflush(f), NO_FIELDS);
	watch_fclose(f);
}

static void told_failure(FILE *f, const char *symbol, long size)
{
	watch_moved(symbol, size, -1);
}

static void limit_size(rlim_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_FSIZE, &limit);
}

/* A disk that is full in the middle of it: the kernel tells how much. */
static void overfill(void)
{
	FILE *f = watch_fopen("limited", "w");

	signal(SIGXFSZ, SIG_IGN);
	limit_size(6000);
	watch_fwrite(f, 4000);
	watch_fwrite(f, 4000);
	watch_put(f);
	watch_told("fflush", fflush(f), NO_FIELDS); /* 1904 of 3904 bytes */
	limit_size(RLIM_INFINITY);
	watch_fclose(f);
}

static void play_stream_errors(long count)
{
	FILE *f = watch_fopen("/dev/full", "w");

	watch_new(f, NO_PLACE);
	watch_fwrite(f, 10);
	watch_quiet(f);
	watch_told("fflush", fflush(f), NO_FIELDS);
	watch_put(f);
	watch_moved("fwrite", 8192, (long)fwrite(data, 1, 8192, f));
	watch_put(f);
	fputs("text", f);
	watch_moved("fputs", 4, 4);
	watch_fclose(f);
	overfill();
	watch_fopen("no/such/file", "r");
	watch_fopen("file", "?");
	f = watch_fopen("file", "w");
	watch_get(f);
	fgetc(f);
	told_failure(f, "fgetc", 0);
	watch_get(f);
	if (!fgets(data, 10, f))
		told_failure(f, "fgets", 0);
	watch_fclose(f);
	f = watch_fopen("file", "r");
	watch_put(f);
	fputc('x', f);
	told_failure(f, "fputc", 0);
	watch_put(f);
	fprintf(f, "%d", 5);
	told_failure(f, "fprintf", 0);
	watch_fclose(f);
}

const struct scenario oracle_places[] = {
	{ "seek-stream", play_seek_stream },
	{ "update", play_update },
	{ "buffers", play_buffers },
	{ "unget", play_unget },
	{ "append", play_append },
	{ "stream-errors", play_stream_errors },
	{ NULL, NULL },
};
