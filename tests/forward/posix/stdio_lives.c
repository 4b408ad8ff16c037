/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams: shared, opened anew, left open, and what is done below them. */
#include "script.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <wchar.h>

static FILE *shared;

static void stdio_adopted(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), other;
	FILE *f, *g;

	SAY(write(fd, "0123456789", 10));
	SAY(fdopen(fd, "z") ? 0 : -1);
	SAY(fdopen(77, "r") ? 0 : -1);
	f = fdopen(fd, "a");
	SAY(fcntl(fd, F_GETFL) & O_APPEND);
	SAY(lseek(fd, 3, SEEK_SET));
	say_state("appends", f);
	SAY(fputs("end", f) >= 0);
	SAY(fflush(f));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(write(fd, "!", 1));
	other = dup(fd);
	g = fdopen(other, "r+");
	SAY(fseek(g, 2, SEEK_SET));
	SAY(fgetc(g));
	SAY(fclose(f));
	SAY(fgetc(g));
	SAY(fclose(g));
	fd = open_or_die("f", O_RDONLY);
	SAY(fdopen(fd, "w") ? 0 : -1);
	SAY(fdopen(fd, "r+") ? 0 : -1);
	f = fdopen(fd, "r");
	g = fdopen(fd, "r");
	SAY(fgetc(f));
	SAY(fgetc(g));
	SAY(fclose(f));
	SAY(fclose(g));
	say_path("f");
}

/* The number is closed, or another's, before the stream is. */
static void stdio_below(void)
{
	FILE *f = stream_or_die("f", "w");
	int other = open_or_die("g", O_RDWR | O_CREAT);

	SAY(fputs("kept ", f) >= 0);
	SAY(dup2(other, fileno(f)) == fileno(f));
	SAY(fputs("elsewhere", f) >= 0);
	SAY(fclose(f));
	say_file("g", other);
	f = stream_or_die("f", "w");
	SAY(fputs("lost", f) >= 0);
	SAY(close(fileno(f)));
	SAY(fflush(f));
	SAY(fclose(f));
	f = stream_or_die("f", "a");
	SAY(fputs("sent", f) >= 0);
	SAY(fsync(fileno(f)));
	SAY(fflush(f));
	SAY(fsync(fileno(f)));
	SAY(lockf(fileno(f), F_TLOCK, 0));
	SAY(fclose(f));
	f = stream_or_die("f", "r+");
	SAY(fgetc(f));
	SAY(fflush(f));
	SAY(sendfile(other, fileno(f), NULL, 2));
	SAY(fgetc(f));
	SAY(posix_fallocate(fileno(f), 0, 100));
	SAY(fseek(f, 0, SEEK_END));
	say_state("longer", f);
	SAY(fclose(f));
	say_file("g", other);
	say_path("f");
	close(other);
}

/* Ordinary streams, whose numbers become those of files that are not. */
static void put_below(FILE *stream, const char *name)
{
	int fd = open_or_die(name, O_RDWR | O_CREAT), number = fileno(stream);
	int saved = dup(number);

	SAY(fflush(stream));
	SAY(dup2(fd, number) == number);
	SAY(fputs("first ", stream) >= 0);
	SAY(fflush(stream));
	SAY(system("true"));
	SAY(write(fd, "second ", 7));
	SAY(fputs("third", stream) >= 0);
	SAY(fflush(stream));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(dup2(saved, number) == number);
	say_file(name, fd);
	close(saved);
	close(fd);
}

static void stdio_put_below(void)
{
	FILE *other = stream_or_die("/dev/null", "w");
	int saved = dup(1);

	put_below(stderr, "f");
	put_below(stdout, "g");
	put_below(other, "h");
	SAY(fclose(other));
	SAY(fflush(stdout));
	close(1);
	SAY(open_or_die("i", O_RDWR | O_CREAT) == 1);
	fputs("lowest ", stdout);
	fflush(stdout);
	if (write(1, "number", 6) == 6)
		dup2(saved, 1);
	close(saved);
	say_path("f");
	say_path("g");
	say_path("h");
	say_path("i");
}

static void stdio_mapped(void)
{
	FILE *f = stream_or_die("f", "w+");
	char *bytes;

	SAY(fputs("before", f) >= 0);
	SAY(fflush(f));
	SAY(ftruncate(fileno(f), 4096));
	bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(f),
		     0);
	say_text("mapped", bytes, 6);
	SAY(fputs(" and after", f) >= 0);
	SAY(fflush(f));
	say_text("mapped", bytes, 16);
	memcpy(bytes, "BEFORE", 6);
	rewind(f);
	SAY(fgetc(f));
	SAY(munmap(bytes, 4096));
	SAY(fclose(f));
	say_path("f");
}

static void stdio_anew(void)
{
	FILE *f = stream_or_die("f", "w"), *g;
	int fd = fileno(f);

	SAY(fputs("first", f) >= 0);
	g = freopen("g", "w+", f);
	SAY(g == f && fileno(g) == fd);
	SAY(fputs("second", g) >= 0);
	SAY(freopen("f", "r", g) == f);
	SAY(fgetc(f));
	SAY(fclose(f));
	f = stream_or_die("g", "a+");
	SAY(fputs(" third", f) >= 0);
	SAY(freopen(NULL, "r", f) == f);
	SAY(fgetc(f));
	SAY(fputc('x', f));
	SAY(fclose(f));
	f = stream_or_die("g", "r+");
	SAY(fgetc(f));
	SAY(freopen("g", "w", f) == f);
	SAY(fputs("cut", f) >= 0);
	SAY(fclose(f));
	f = stream_or_die("g", "a");
	SAY(fputs(" and more", f) >= 0);
	SAY(freopen("none/g", "r", f) ? 0 : -1);
	say_path("f");
	say_path("g");
	f = freopen("h", "w", stderr);
	SAY(f == stderr);
	SAY(fputs("told", f) >= 0);
	SAY(fflush(f));
	say_path("h");
}

static void stdio_wide(void)
{
	wchar_t line[32] = L"";
	FILE *f;

	SAY(setlocale(LC_ALL, "C.UTF-8") != NULL);
	f = stream_or_die("f", "w+");
	SAY(fwide(f, 0));
	SAY(fputws(L"gr\u00fc\u00dfe\n", f) >= 0);
	SAY(fwprintf(f, L"%ls %d\n", L"\u20ac", 5));
	SAY(fputc('x', f));
	SAY(fwide(f, 0) > 0);
	rewind(f);
	SAY(fgetws(line, 32, f) != NULL);
	SAY(line[2]);
	SAY(fwscanf(f, L"%31ls", line));
	SAY(line[0]);
	SAY(ungetwc(L'!', f));
	SAY((long)fgetwc(f));
	SAY(fclose(f));
	say_path("f");
	f = stream_or_die("f", "r+");
	SAY(fseek(f, 3, SEEK_SET));
	SAY((long)fgetwc(f));
	SAY(fclose(f));
	f = stream_or_die("f", "r");
	SAY(fwide(f, -1));
	SAY(fgetwc(f) == WEOF);
	SAY(fgetc(f));
	SAY(fclose(f));
	f = stream_or_die("f", "a");
	SAY(fwide(f, 1) > 0);
	SAY((long)fputwc(L'\u00e9', f));
	SAY(fclose(f));
	f = fopen("f", "r,ccs=UTF-8");
	SAY(f ? (long)fgetwc(f) : -1);
	if (f)
		SAY(fclose(f));
	f = fopen("g", "w,ccs=ISO-8859-1");
	SAY(f ? fputws(L"\u00fc", f) >= 0 : -1);
	if (f)
		SAY(fclose(f));
	say_path("f");
}

static void end_by_exit(int word)
{
	if (word & 1)
		fputs("child ", shared);
	if (word & 2)
		_exit(0);
	if (word & 4)
		fclose(shared);
}

static void stdio_forked(void)
{
	shared = stream_or_die("f", "w+");
	SAY(fputs("parent ", shared) >= 0);
	for (int word = 0; word < 6; word++)
		await(start(end_by_exit, word));
	SAY(fputs("again ", shared) >= 0);
	SAY(fflush(shared));
	await(start(end_by_exit, 1));
	SAY(lseek(fileno(shared), 0, SEEK_CUR));
	SAY(fputs("last", shared) >= 0);
	SAY(fclose(shared));
	say_path("f");
}

static void read_on(int word)
{
	SAY(fgetc(shared));
	if (word)
		SAY(fclose(shared));
}

/* Who reads where is libc's affair, and must be the same. */
static void stdio_read_forked(void)
{
	put_file("f", "abcdefghijklmnopqrstuvwxyz");
	shared = stream_or_die("f", "r");
	SAY(fgetc(shared));
	await(start(read_on, 0));
	SAY(fgetc(shared));
	SAY(lseek(fileno(shared), 0, SEEK_CUR));
	await(start(read_on, 1));
	SAY(lseek(fileno(shared), 0, SEEK_CUR));
	SAY(fflush(shared));
	SAY(lseek(fileno(shared), 0, SEEK_CUR));
	SAY(fgetc(shared));
	SAY(fclose(shared));
}

static void leave_open(int word)
{
	char name[8];

	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		fprintf(stream_or_die(name, i & 1 ? "w" : "a"), "%d", i);
	}
	if (word)
		_exit(0);
}

static void stdio_left(void)
{
	struct stat about;
	char name[8];
	long sum = 0;

	await(start(leave_open, 1));
	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		sum += stat(name, &about) ? 1000 : about.st_size;
	}
	SAY(sum);
	await(start(leave_open, 0));
	say_path("f7");
	say_path("f98");
}

/* They end with the program, one of them in an open group of its own. */
static void stdio_exit(void)
{
	FILE *f = stream_or_die("f", "w"), *g = stream_or_die("g", "w");
	FILE *h = stream_or_die("h", "w");

	flockfile(h);
	fputs("not closed", f);
	fputs("nor this", g);
	fputs("nor this, which is locked", h);
	exit(3);
}

static void *write_lines(void *on)
{
	FILE *own;
	char name[8], line[32] = "";

	snprintf(name, sizeof(name), "t%ld", (long)on);
	for (int i = 0; i < 50; i++) {
		fprintf(shared, "%ld %02d\n", (long)on, i);
		own = stream_or_die(name, "a+");
		fprintf(own, "%d\n", i);
		rewind(own);
		if (!fgets(line, sizeof(line), own) || strcmp(line, "0\n"))
			puts("not what it wrote");
		if (fclose(own))
			puts("not closed");
	}
	return NULL;
}

static void stdio_threads(void)
{
	pthread_t who[4];
	char line[32];
	int torn = 0, count = 0;

	shared = stream_or_die("f", "w+");
	for (long i = 0; i < 4; i++)
		if (pthread_create(&who[i], NULL, write_lines, (void *)i))
			exit(1);
	for (int i = 0; i < 4; i++)
		pthread_join(who[i], NULL);
	rewind(shared);
	while (fgets(line, sizeof(line), shared)) {
		torn += strlen(line) != 5;
		count++;
	}
	SAY(torn);
	SAY(count);
	SAY(fclose(shared));
	unlink("f"); /* their order is nobody's business */
}

static void say_said(const char *command)
{
	FILE *pipe;
	char line[64];

	pipe = popen(command, "r");
	while (pipe && fgets(line, sizeof(line), pipe))
		say_text("said", line, strcspn(line, "\n"));
	SAY(pclose(pipe));
}

static void stdio_programs(void)
{
	FILE *f = stream_or_die("f", "w"), *pipe;
	pid_t pid;

	SAY(fputs("one\n", f) >= 0);
	SAY(fflush(f));
	SAY(fputs("two\n", f) >= 0);
	say_said("cat f");
	pipe = popen("cat >>g", "w");
	SAY(fputs("by a pipe\n", pipe) >= 0);
	SAY(fflush(NULL));
	SAY(pclose(pipe));
	SAY(system("cat f >>g"));
	pid = vfork();
	if (!pid) {
		dup2(fileno(f), 1);
		execl("/bin/echo", "echo", "by a child", (char *)0);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	SAY(fputs("three\n", f) >= 0);
	SAY(fclose(f));
	say_path("f");
	say_path("g");
}

static void stdio_names(void)
{
	char made[] = "madeXXXXXX", text[8] = "";
	FILE *f = stream_or_die("f", "w+");
	struct stat about;

	SAY(fputs("named", f) >= 0);
	SAY(fflush(f));
	SAY(stat("f", &about));
	SAY(about.st_size);
	SAY(rename("f", "g"));
	SAY(fputs(" anew", f) >= 0);
	SAY(unlink("g"));
	rewind(f);
	SAY(fread(text, 1, 5, f));
	say_text("gone", text, 5);
	SAY(fclose(f));
	f = fdopen(mkstemp(made), "w+");
	SAY(fprintf(f, "%d", 7));
	rewind(f);
	SAY(fgetc(f));
	SAY(fclose(f));
	SAY(rename(made, "made"));
	f = tmpfile();
	SAY(fputs("nobody's", f) >= 0);
	SAY(fclose(f));
	say_path("made");
}

static long own_write(void *on, const char *bytes, size_t count)
{
	return (long)fwrite(bytes, 1, count, on);
}

static void stdio_others(void)
{
	cookie_io_functions_t functions = {.write = own_write};
	FILE *f = stream_or_die("f", "w"), *own, *old = stdout;
	char room[16] = "", *grown = NULL;
	size_t size = 0;

	own = fopencookie(f, "w", functions);
	SAY(fileno(own));
	SAY(fputs("through two", own) >= 0);
	SAY(fclose(own));
	own = fmemopen(room, sizeof(room), "w");
	SAY(fputs("memory", own) >= 0);
	SAY(fclose(own));
	own = open_memstream(&grown, &size);
	SAY(fprintf(own, "%d", 12345));
	SAY(fclose(own));
	free(grown);
	fputs(" streams\n", f);
	stdout = f;
	puts("as if it were");
	printf("%s\n", "the usual one");
	stdout = old;
	SAY(fcloseall());
	say_path("f");
}

static void stdio_limited(void)
{
	struct rlimit limit = {.rlim_cur = 6, .rlim_max = RLIM_INFINITY};
	FILE *f = stream_or_die("f", "w"), *g;

	signal(SIGXFSZ, SIG_IGN);
	SAY(fputs("0123", f) >= 0);
	SAY(setrlimit(RLIMIT_FSIZE, &limit));
	g = stream_or_die("g", "w");
	SAY(fputs("0123456789", f) >= 0);
	SAY(fflush(f));
	SAY(fputs("0123456789", g) >= 0);
	SAY(fclose(g));
	SAY(fclose(f));
	say_path("f");
	say_path("g");
}

const struct script stdio_lives[] = {
	{"stdio-adopted", stdio_adopted},
	{"stdio-below", stdio_below},
	{"stdio-put-below", stdio_put_below},
	{"stdio-mapped", stdio_mapped},
	{"stdio-anew", stdio_anew},
	{"stdio-wide", stdio_wide},
	{"stdio-forked", stdio_forked},
	{"stdio-read-forked", stdio_read_forked},
	{"stdio-left", stdio_left},
	{"stdio-exit", stdio_exit},
	{"stdio-threads", stdio_threads},
	{"stdio-programs", stdio_programs},
	{"stdio-names", stdio_names},
	{"stdio-others", stdio_others},
	{"stdio-limited", stdio_limited},
	{NULL, NULL},
};
