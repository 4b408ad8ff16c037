/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Uses streams at random, and tells each call and where the stream was: by
 * libc's own ftell, asked behind everybody's back. What went to the kernel
 * meanwhile, strace sees.
 *
 * usage: scribbler LOG FIRST COUNT OPERATIONS [CROWD]: a child process a
 * seed; CROWD: its threads use one stream at once, which is not told.
 */
#include "oracle_tell.h"

#include "../lib/raw.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STREAMS 4
#define FILES   3
#define MUCH    30000

struct slot {
	FILE *f;
	bool dim;     /* its place need not be known */
	bool appends;
	char buffer[8192];
};

static struct slot slots[STREAMS];
static uint64_t state;
static char data[MUCH];
static long (*ask)(FILE *f);

static unsigned draw(unsigned below)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(state >> 33) % below;
}

static size_t draw_size(void)
{
	static const unsigned most[] = { 2, 10, 100, 1100, 5000, MUCH };

	return draw(most[draw(6)]);
}

static char where[64];

/* libc may believe the kernel where it is not any more. */
static long position(FILE *f)
{
	long at = ask(f);

	if (at >= 0 && f->_offset >= 0)
		at += raw_call(SYS_lseek, f->_fileno, 0, SEEK_CUR) -
		      f->_offset;
	return at;
}

/* Asking an appending stream that has not written yet would move it. */
static void before(const struct slot *slot, bool puts)
{
	bool put_back = slot->f->_flags & 0x100;
	long at = -1;

	if (slot->appends && (puts || __fpending(slot->f))) {
		strcpy(where, puts ? "'off':null" : "'off_may_be':0");
		return;
	}
	at = position(slot->f);
	if (at < 0)
		strcpy(where, "'off':null");
	else
		snprintf(where, sizeof(where), "'%s':%ld",
			 slot->dim || (puts && put_back) ? "may_off" : "off",
			 at);
}

/* Nothing was moved, by an error and not as the file is at its end. */
static void told(const struct slot *slot, const char *symbol, long moved,
		 bool failed)
{
	tell(symbol, failed ? -1 : moved, "'fd':%d,%s", slot->f->_fileno,
	     where);
}

static void told_put(struct slot *slot, const char *symbol, long size,
		     long moved)
{
	slot->dim |= slot->appends;
	told(slot, symbol, moved, size && !moved && ferror(slot->f));
}

static void told_get(const struct slot *slot, const char *symbol, long size,
		     long moved)
{
	told(slot, symbol, moved, size && !moved && ferror(slot->f) &&
				  !feof(slot->f));
}

/* The result is whether it worked; a failure's error is not compared. */
static void told_plain(const struct slot *slot, const char *symbol)
{
	tell_any(symbol, "'fd':%d,%s", slot->f->_fileno, where);
}

static void do_open(struct slot *slot)
{
	static const char *const modes[] = { "r", "w", "r+", "w+", "a", "a+",
					     "r+", "w+" };
	const char *mode = modes[draw(8)];
	char name[16];

	snprintf(name, sizeof(name), "f%u", draw(FILES));
	slot->f = fopen(name, mode);
	if (!slot->f)
		tell_failure("a file cannot be opened");
	slot->appends = mode[0] == 'a';
	slot->dim = slot->appends && !mode[1];
	tell("fopen", slot->f->_fileno, "'args':{'mode':'%s'}", mode);
}

static void do_setvbuf(struct slot *slot)
{
	static const size_t sizes[] = { 1, 2, 7, 64, 100, 512, 1000, 4096,
					8192 };
	static const int modes[] = { _IOFBF, _IOFBF, _IOLBF, _IONBF };

	if (slot->f->_IO_save_base)
		return; /* libc forgets that something was put back */
	before(slot, false);
	setvbuf(slot->f, draw(3) ? slot->buffer : NULL, modes[draw(4)],
		sizes[draw(9)]);
	told_plain(slot, "setvbuf");
}

static void do_fwrite(struct slot *slot)
{
	static const size_t units[] = { 1, 1, 3, 8 };
	size_t unit = units[draw(4)], n = draw_size() / unit;
	size_t done;

	before(slot, true);
	done = fwrite(data, unit, n, slot->f);
	told_put(slot, "fwrite", (long)n, (long)(done * unit));
}

static void do_fread(struct slot *slot)
{
	static const size_t units[] = { 1, 1, 3, 8 };
	static char taken[MUCH];
	/* Of a part of an item only the place tells. */
	size_t unit = slot->dim ? 1 : units[draw(4)], n = draw_size() / unit;
	size_t done;

	before(slot, false);
	done = fread(taken, unit, n, slot->f);
	told_get(slot, "fread", (long)n, (long)(done * unit));
}

static void do_fputc(struct slot *slot)
{
	before(slot, true);
	told_put(slot, "fputc", 1, fputc(draw(9) ? 'x' : '\n', slot->f) != EOF);
}

static void do_fgetc(struct slot *slot)
{
	before(slot, false);
	told_get(slot, "fgetc", 1, fgetc(slot->f) != EOF);
}

/* Inline: calls only when the buffer is at its end. */
static void do_inline_put(struct slot *slot)
{
	unsigned n = draw(300);

	while (n--) {
		bool calls = slot->f->_IO_write_ptr >= slot->f->_IO_write_end;

		if (calls)
			before(slot, true);
		if (putc_unlocked('y', slot->f) == EOF) {
			told_put(slot, "__overflow", 1, 0);
			return;
		}
		if (calls)
			told_put(slot, "__overflow", 1, 1);
	}
}

static void do_inline_get(struct slot *slot)
{
	unsigned n = draw(300);

	while (n--) {
		bool calls = slot->f->_IO_read_ptr >= slot->f->_IO_read_end;
		int c;

		if (calls)
			before(slot, false);
		c = getc_unlocked(slot->f);
		if (calls)
			told_get(slot, "__uflow", 1, c != EOF);
		if (c == EOF)
			return;
	}
}

static void do_fputs(struct slot *slot)
{
	size_t len = draw_size();
	char kept = data[len];
	int ret;

	data[len] = 0;
	before(slot, true);
	ret = fputs(data, slot->f);
	told_put(slot, "fputs", (long)len, ret < 0 ? 0 : (long)len);
	data[len] = kept;
}

static void do_fprintf(struct slot *slot)
{
	int ret;

	before(slot, true);
	ret = fprintf(slot->f, "%d and %*d\n", draw(100), (int)draw(200), 5);
	told_put(slot, "fprintf", 1, ret < 0 ? 0 : ret);
}

static void do_fgets(struct slot *slot)
{
	char line[2000];
	char *got;

	if (slot->dim)
		return; /* if there are zero bytes, only the place tells */
	before(slot, false);
	got = fgets(line, 1 + (int)draw(1999), slot->f);
	told_get(slot, "fgets", !got, got ? (long)strlen(line) : 0);
}

static void do_getdelim(struct slot *slot)
{
	static char *line;
	static size_t room;
	long ret;

	before(slot, false);
	ret = getdelim(&line, &room, draw(3) ? '\n' : 'q', slot->f);
	told_get(slot, "getdelim", 1, ret < 0 ? 0 : ret);
}

static void do_ungetc(struct slot *slot)
{
	int last;

	/* Else libc itself goes wrong. */
	if (slot->f->_IO_read_end <= slot->f->_IO_buf_base ||
	    __fwriting(slot->f))
		return;
	last = slot->f->_IO_read_ptr > slot->f->_IO_read_base ?
			   slot->f->_IO_read_ptr[-1] : 'u';

	before(slot, false);
	if (ungetc(draw(2) ? last : 'u', slot->f) == EOF)
		tell_failure("nothing can be put back");
	told(slot, "ungetc", 1, false);
}

static void do_fseek(struct slot *slot)
{
	static const int whences[] = { SEEK_SET, SEEK_CUR, SEEK_END };
	int whence = whences[draw(3)], ret;
	long off = (long)draw_size();

	if (whence != SEEK_SET && draw(4))
		off = -off / 4;
	before(slot, false);
	ret = fseek(slot->f, off, whence);
	told(slot, "fseek", ret, false);
	if (!ret)
		slot->dim = false;
}

static void do_ftell(struct slot *slot)
{
	before(slot, false);
	told(slot, "ftell", ftell(slot->f), false);
}

static void do_rewind(struct slot *slot)
{
	before(slot, false);
	rewind(slot->f);
	told_plain(slot, "rewind");
	slot->dim = false;
}

static void do_fflush(struct slot *slot)
{
	before(slot, false);
	fflush(slot->f);
	told_plain(slot, "fflush");
}

static void do_fflush_all(struct slot *slot)
{
	tell("fflush", fflush(NULL), NO_FIELDS);
}

static void do_fpurge(struct slot *slot)
{
	if (__fwriting(slot->f) &&
	    slot->f->_IO_read_end != slot->f->_IO_write_base)
		return; /* libc would read again what was thrown away */
	before(slot, false);
	__fpurge(slot->f);
	told_plain(slot, "__fpurge");
}

static void do_fscanf(struct slot *slot)
{
	int number;

	before(slot, false);
	if (fscanf(slot->f, "%*s %d", &number) < -1)
		tell_failure("what a result");
	told_plain(slot, "fscanf");
	slot->dim = true;
}

/* Of the kernel, where libc does not see it. */
static void do_raw(struct slot *slot)
{
	char bytes[100];
	int fd = slot->f->_fileno;

	slot->dim |= slot->appends;
	if (draw(2))
		tell_any("write", "'fd':%d,'ret':%zd", fd,
			 write(fd, data, draw(100)));
	else
		tell_any("read", "'fd':%d,'ret':%zd", fd,
			 read(fd, bytes, draw(100)));
}

static void do_clearerr(struct slot *slot)
{
	clearerr(slot->f);
}

static void do_freopen(struct slot *slot)
{
	static const char *const modes[] = { "r", "w+", "r+", "a+" };
	const char *mode = modes[draw(4)];
	char name[16];

	snprintf(name, sizeof(name), "f%u", draw(FILES));
	slot->f = freopen(name, mode, slot->f);
	if (!slot->f)
		tell_failure("a stream cannot be opened anew");
	slot->appends = mode[0] == 'a';
	slot->dim = false;
	tell("freopen", slot->f->_fileno, "'args':{'mode':'%s'}", mode);
}

static void do_fclose(struct slot *slot)
{
	int fd = slot->f->_fileno;

	tell("fclose", fclose(slot->f), "'fd':%d", fd);
	slot->f = NULL;
}

/* How often in a hundred. */
static const struct {
	unsigned share;
	void (*play)(struct slot *slot);
} operations[] = {
	{ 10, do_fwrite }, { 10, do_fread }, { 6, do_fputc }, { 6, do_fgetc },
	{ 6, do_inline_put }, { 6, do_inline_get }, { 5, do_fputs },
	{ 4, do_fprintf }, { 5, do_fgets }, { 5, do_getdelim },
	{ 4, do_ungetc }, { 11, do_fseek }, { 3, do_ftell }, { 2, do_rewind },
	{ 4, do_fflush }, { 1, do_fflush_all }, { 1, do_fpurge },
	{ 2, do_setvbuf }, { 2, do_raw }, { 2, do_clearerr },
	{ 1, do_freopen }, { 3, do_fclose }, { 1, do_fscanf },
};

static void play_one(void)
{
	struct slot *slot = &slots[draw(STREAMS)];
	int at = (int)draw(100);
	unsigned i = 0;

	if (!slot->f) {
		do_open(slot);
		if (draw(2))
			do_setvbuf(slot);
		return;
	}
	while ((at -= (int)operations[i].share) >= 0)
		i++;
	operations[i].play(slot);
	/* fwrite hides failures; it must not look as if it did. */
	if (slot->f && slot->appends)
		clearerr(slot->f);
}

static void make_file(unsigned number)
{
	char name[16];
	long fd;

	snprintf(name, sizeof(name), "f%u", number);
	fd = raw_call(SYS_openat, AT_FDCWD, name,
		      O_WRONLY | O_CREAT | O_TRUNC, 0644);
	raw_call(SYS_write, fd, data, draw_size());
	raw_call(SYS_close, fd);
}

/* --- many threads, one stream ------------------------------------------- */

#define THREADS 3

static FILE *shared;

/* A call: what is put inline while others wait nobody can know. */
static int (*volatile put_unlocked)(int c, FILE *f) = putc_unlocked;
static unsigned turns;

static void put_something(unsigned n)
{
	switch (n % 6) {
	case 0:
		fputc('x', shared);
		break;
	case 1:
		fprintf(shared, "%*d\n", (int)(n % 300), 7);
		break;
	case 2:
		flockfile(shared);
		for (unsigned i = 0; i < n % 20; i++)
			put_unlocked('z', shared);
		funlockfile(shared);
		break;
	case 3:
		if (n % 5)
			fputs("some text", shared);
		else
			fflush(n % 10 ? shared : NULL);
		break;
	default:
		fwrite(data, 1, n % 3000, shared);
	}
}

static void get_something(unsigned n)
{
	static __thread char *line, taken[3000];
	static __thread size_t room;

	if (n % 3 == 0)
		fgetc(shared);
	else if (n % 3 == 1)
		getdelim(&line, &room, 'q', shared);
	else
		fread(taken, 1, n % sizeof(taken), shared);
}

static void *use_shared(void *use)
{
	unsigned n = (unsigned)(uintptr_t)&n / 64;

	for (unsigned i = 0; i < turns; i++) {
		n = n * 1103515245 + 12345;
		((void (*)(unsigned))use)(n >> 8);
	}
	return NULL;
}

static void play_crowd(unsigned count)
{
	bool puts = draw(2);
	pthread_t threads[THREADS];

	turns = count;
	shared = fopen("f0", puts ? "w" : "r");
	tell("fopen", shared->_fileno, NO_FIELDS);
	if (draw(2))
		setvbuf(shared, NULL, _IOFBF, 1 + draw(5000));
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, use_shared,
			       puts ? (void *)put_something
				    : (void *)get_something);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	if (draw(2))
		fclose(shared);
	exit(0);
}

static void prepare(unsigned seed)
{
	state = seed;
	for (unsigned i = 0; i < MUCH; i++)
		data[i] = draw(50) ? (char)('a' + draw(26)) : '\n';
	for (unsigned i = 0; i < FILES; i++)
		make_file(i);
}

static void play(unsigned count)
{
	while (count--)
		play_one();
	if (draw(5))
		exit(0);
	_exit(0); /* what is pending stays unwritten */
}

int main(int argc, char **argv)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW);

	if (argc < 5 || !libc || !(ask = dlsym(libc, "ftell")))
		return 2;
	tell_open(argv[1]);
	for (int i = 0; i < atoi(argv[3]); i++) {
		pid_t child;
		int status;

		prepare((unsigned)(atoi(argv[2]) + i));
		child = fork();
		if (!child)
			(argc > 5 ? play_crowd : play)(
				(unsigned)atoi(argv[4]));
		waitpid(child, &status, 0);
		if (status)
			tell_any("died", "'status':%d", status);
	}
	return 0;
}
