/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of the C library: how they are opened, read, written and moved. */
#include "script.h"

#include <errno.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

/* All that a stream opened so may do, and where it is meanwhile. */
static void use(FILE *f, bool is_mapped)
{
	char text[16] = "";
	int got;

	say_state("new", f);
	SAY(fcntl(fileno(f), F_GETFL) & (O_ACCMODE | O_APPEND));
	SAY(fcntl(fileno(f), F_GETFD));
	got = (int)SAY(fread(text, 1, 3, f));
	say_text("read", text, (size_t)got);
	say_state("read", f);
	clearerr(f);
	SAY(fseek(f, 0, SEEK_CUR));
	SAY(fputs("new", f) >= 0);
	SAY(fflush(f));
	say_state("written", f);
	clearerr(f);
	rewind(f);
	got = (int)SAY(fread(text, 1, sizeof(text), f));
	say_text("again", text, (size_t)got);
	SAY(__freadable(f) != 0);
	SAY(__fwritable(f) != 0);
	if (!is_mapped)
		SAY((long)__fbufsize(f));
	SAY(fclose(f));
}

static void stdio_modes(void)
{
	static const char *const modes[] = {
		"r",   "w",  "a",  "r+", "w+", "a+", "wx", "re",    "rb+",
		"r+b", "wb", "ab", "rm", "rc", "z",  "",   "wxe+",  "a+e",
		"w+b", "r+m"};

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		for (int there = 0; there < 2; there++) {
			FILE *f;

			unlink("f");
			if (there)
				put_file("f", "0123456789");
			say_text("mode", modes[i], strlen(modes[i]));
			f = fopen("f", modes[i]);
			if (f)
				use(f, strchr(modes[i], 'm'));
			else
				SAY(-1);
			if (f)
				say_path("f");
		}
}

/* Somebody else has it open, and what he wrote is not stored yet. */
static void stdio_shared(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	FILE *f, *g;
	char line[32] = "";

	SAY(write(fd, "one\ntwo\n", 8));
	f = stream_or_die("f", "r");
	SAY(fgets(line, sizeof(line), f) != NULL);
	SAY(pwrite(fd, "TWO", 3, 4));
	SAY(lseek(fd, 0, SEEK_END));
	SAY(fclose(f));
	f = stream_or_die("f", "w");
	say_file("cut", fd);
	SAY(fprintf(f, "%s %d\n", "again", 1));
	say_file("in the buffer", fd);
	SAY(fflush(f));
	say_file("flushed", fd);
	g = stream_or_die("f", "r+");
	SAY(fgets(line, sizeof(line), g) != NULL);
	say_text("other", line, strlen(line));
	SAY(fseek(g, 0, SEEK_SET));
	SAY(fputc('A', g));
	SAY(fclose(g));
	SAY(fputs("more", f) >= 0);
	SAY(fclose(f));
	say_file("all", fd);
	close(fd);
}

static void stdio_lines(void)
{
	FILE *f = stream_or_die("f", "w+");
	char *line = NULL, word[32];
	size_t room = 0;
	int number = 0;

	for (int i = 0; i < 2000; i++)
		fprintf(f, "%d:%*s\n", i, i % 70, "x");
	say_state("written", f);
	rewind(f);
	for (int i = 0; i < 500; i++)
		if (getline(&line, &room, f) < 0)
			puts("no line");
	say_text("line", line, strcspn(line, "\n"));
	say_state("lines", f);
	SAY(getdelim(&line, &room, ':', f));
	SAY(fscanf(f, "%31s %d", word, &number));
	SAY(number);
	SAY(ungetc('!', f));
	SAY(ungetc('?', f));
	say_state("put back", f);
	SAY(fgetc(f));
	SAY(getc(f));
	SAY(getc_unlocked(f));
	SAY(getw(f) != EOF);
	say_state("words", f);
	while (fgets(word, sizeof(word), f))
		number++;
	SAY(number);
	say_state("end", f);
	SAY(fgetc(f));
	clearerr(f);
	SAY(fputs("last", f) >= 0);
	SAY(fseek(f, -4, SEEK_END));
	SAY(fgetc(f));
	free(line);
	SAY(fclose(f));
	say_path("f");
}

static void stdio_places(void)
{
	FILE *f = stream_or_die("f", "w+");
	fpos_t place;
	char bytes[8] = "";

	for (int i = 0; i < 30000; i++)
		fputc('a' + i % 26, f);
	SAY(fseek(f, 10000, SEEK_SET));
	SAY(fgetc(f));
	SAY(fseek(f, 100, SEEK_CUR));
	SAY(fgetc(f));
	SAY(fseek(f, -50, SEEK_CUR));
	SAY(fgetc(f));
	SAY(fgetpos(f, &place));
	say_state("kept", f);
	SAY(fseeko(f, -1, SEEK_END));
	SAY(fgetc(f));
	SAY(fgetc(f));
	SAY(feof(f) != 0);
	SAY(fsetpos(f, &place));
	SAY(feof(f) != 0);
	SAY(fgetc(f));
	SAY(fseek(f, -1, SEEK_SET));
	SAY(fseek(f, -40000, SEEK_CUR));
	SAY(fseek(f, 0, 17));
	say_state("refused", f);
	SAY(fseek(f, 40000, SEEK_SET));
	SAY(fread(bytes, 1, 4, f));
	SAY(fseek(f, 5000, SEEK_END));
	SAY(fputs("far", f) >= 0);
	SAY(fseek(f, 4090, SEEK_SET));
	SAY(fwrite("0123456789", 1, 10, f));
	SAY(fseek(f, 4088, SEEK_SET));
	SAY(fread(bytes, 1, 8, f));
	say_text("across", bytes, 8);
	SAY(lseek(fileno(f), 0, SEEK_CUR));
	SAY(fflush(f));
	SAY(lseek(fileno(f), 0, SEEK_CUR));
	SAY(lseek(fileno(f), 7, SEEK_SET));
	say_state("moved below it", f);
	SAY(fclose(f));
	say_path("f");
}

static void stdio_buffers(void)
{
	static char room[3000];
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	FILE *f = stream_or_die("f", "r+");

	SAY(setvbuf(f, NULL, _IONBF, 0));
	SAY(fputs("at once", f) >= 0);
	say_file("unbuffered", fd);
	SAY(fclose(f));
	f = stream_or_die("f", "r+");
	SAY(setvbuf(f, NULL, _IOLBF, 0));
	SAY(fputs("a line\nand a half", f) >= 0);
	say_file("by lines", fd);
	SAY(fclose(f));
	f = stream_or_die("f", "a+");
	SAY(setvbuf(f, room, _IOFBF, sizeof(room)));
	for (int i = 0; i < 1000; i++)
		fprintf(f, "%d ", i);
	SAY((long)__fpending(f));
	say_file("own", fd);
	rewind(f);
	SAY(fgetc(f));
	SAY(fclose(f));
	f = stream_or_die("f", "w");
	setbuf(f, NULL);
	SAY(putc('x', f));
	say_file("none", fd);
	setlinebuf(f);
	SAY(fputs("y\nz", f) >= 0);
	say_file("lines", fd);
	__fpurge(f);
	SAY(fclose(f));
	say_file("purged", fd);
	f = stream_or_die("f", "w");
	SAY(setvbuf(f, NULL, _IOFBF, 100000));
	for (int i = 0; i < 5000; i++)
		putc_unlocked('a' + i % 26, f);
	SAY((long)__fpending(f));
	SAY(fclose(f));
	say_file("asked for", fd);
	close(fd);
}

#define MUCH 300001

static void stdio_large(void)
{
	char *bytes = malloc(MUCH), *back = malloc(MUCH);
	FILE *f = stream_or_die("f", "w+");

	fill(bytes, MUCH, 0);
	SAY(fwrite(bytes, 1, MUCH, f));
	SAY(fwrite(bytes, 7, 11, f));
	SAY(fwrite(bytes, 1000, 100, f));
	SAY(fwrite(bytes, 0, 5, f));
	say_state("written", f);
	rewind(f);
	SAY(fread(back, 1, MUCH, f));
	SAY(memcmp(bytes, back, MUCH));
	say_state("read", f);
	SAY(fread(back, 7, 11, f));
	SAY(fread(back, 1000, 300, f));
	SAY(memcmp(bytes, back, 100000));
	say_state("short", f);
	rewind(f);
	SAY(fgetc(f));
	SAY(ungetc('#', f));
	SAY(fread(back, 1, 10000, f));
	SAY(memcmp(bytes + 1, back + 1, 9999));
	SAY(*back);
	SAY(fread(back, 1, 3, f));
	SAY(fread(back, 1, 50000, f));
	SAY(memcmp(bytes + 10003, back, 50000));
	say_state("middle", f);
	SAY(lseek(fileno(f), 0, SEEK_CUR) >= 60003);
	SAY(fclose(f));
	say_path("f");
	free(bytes);
	free(back);
}

static void stdio_append(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT | O_APPEND);
	FILE *f = stream_or_die("f", "a"), *g = stream_or_die("f", "a+");
	char text[32] = "";

	SAY(write(fd, "fd ", 3));
	SAY(fputs("f ", f) >= 0);
	say_state("pending", f);
	SAY(fputs("g ", g) >= 0);
	SAY(fflush(g));
	SAY(fflush(f));
	say_state("flushed", f);
	SAY(write(fd, "fd", 2));
	rewind(g);
	SAY(fgetc(g));
	SAY(fseek(g, 1, SEEK_SET));
	SAY(fputs(" end", g) >= 0);
	say_state("end", g);
	SAY(fseek(g, 0, SEEK_SET));
	SAY(fread(text, 1, sizeof(text), g));
	say_text("all", text, strlen(text));
	SAY(ftruncate(fd, 4));
	SAY(fputs("+", f) >= 0);
	SAY(fclose(f));
	SAY(fclose(g));
	say_file("f", fd);
	close(fd);
}

static void stdio_turns(void)
{
	FILE *f = stream_or_die("f", "w+");

	SAY(fputs("0123456789", f) >= 0);
	SAY(fseek(f, 2, SEEK_SET));
	SAY(fgetc(f));
	SAY(fseek(f, 0, SEEK_CUR));
	SAY(fputc('X', f));
	SAY(fflush(f));
	SAY(fgetc(f));
	SAY(fflush(f));
	SAY(fputc('Y', f));
	SAY(fgetc(f)); /* which one should not do */
	say_state("turned", f);
	rewind(f);
	for (int i = 0; i < 4; i++) {
		SAY(fgetc(f));
		SAY(fseek(f, 0, SEEK_CUR));
		SAY(fputc('-', f));
		SAY(fseek(f, 0, SEEK_CUR));
	}
	SAY(ftruncate(fileno(f), 6));
	SAY(fseek(f, 0, SEEK_END));
	say_state("cut", f);
	SAY(fclose(f));
	say_path("f");
}

static void stdio_refused(void)
{
	FILE *f = stream_or_die("f", "w");
	char text[8];

	SAY(fgetc(f));
	SAY(ferror(f) != 0);
	SAY(fread(text, 1, 8, f));
	SAY(fclose(f));
	f = stream_or_die("f", "r");
	SAY(fputc('x', f));
	SAY(fputs("xyz", f));
	SAY(ferror(f) != 0);
	SAY(fflush(f));
	SAY(fclose(f));
	SAY(fopen(".", "w") == NULL ? -1 : 0);
	f = stream_or_die(".", "r");
	SAY(fgetc(f));
	SAY(fclose(f));
	SAY(fopen("f/g", "r") == NULL ? -1 : 0);
	SAY(fopen("", "w") == NULL ? -1 : 0);
	SAY(fopen("f", "wx") == NULL ? -1 : 0);
	SAY(symlink("/dev/full", "full"));
	f = stream_or_die("full", "w");
	SAY(fputs("no room", f) >= 0);
	SAY(fflush(f));
	SAY(fclose(f));
	unlink("full");
}

static void stdio_entries(void)
{
	struct passwd one = {.pw_name = "name", .pw_passwd = "x",
			     .pw_uid = 5,	 .pw_gid = 6,
			     .pw_gecos = "",	 .pw_dir = "/",
			     .pw_shell = "/bin/sh"};
	FILE *f = stream_or_die("f", "w+");
	const struct passwd *found;

	SAY(putpwent(&one, f));
	SAY(putpwent(&one, f));
	rewind(f);
	while ((found = fgetpwent(f)))
		SAY(found->pw_uid);
	SAY(putw(1234567, f));
	SAY(fclose(f));
	say_path("f");
}

const struct script stdio_scripts[] = {
	{"stdio-modes", stdio_modes},	  {"stdio-shared", stdio_shared},
	{"stdio-lines", stdio_lines},	  {"stdio-places", stdio_places},
	{"stdio-buffers", stdio_buffers}, {"stdio-large", stdio_large},
	{"stdio-append", stdio_append},	  {"stdio-turns", stdio_turns},
	{"stdio-refused", stdio_refused}, {"stdio-entries", stdio_entries},
	{NULL, NULL},
};
