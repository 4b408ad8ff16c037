/* SPDX-License-Identifier: BSD-3-Clause */
/* Other ways to a file's bytes: memory, streams, copies, requests. */
#include "script.h"

#include <aio.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

static void mapped(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT), other;
	char *bytes, back[8] = "";

	SAY(write(fd, "0123456789", 10));
	bytes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	say_text("mapped", bytes, 10);
	SAY(pwrite(fd, "ab", 2, 4));
	say_text("mapped", bytes, 10);
	memcpy(bytes, "XY", 2);
	SAY(pread(fd, back, 6, 0));
	say_text("read", back, 6);
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(close(fd));
	other = open_or_die("f", O_RDWR);
	SAY(pwrite(other, "later", 5, 5));
	say_text("mapped", bytes, 10);
	SAY(msync(bytes, 4096, MS_SYNC));
	SAY(munmap(bytes, 4096));
	say_file("f", other);
	close(other);
}

static void streams(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	char line[64] = "";
	FILE *stream;

	SAY(write(fd, "one\ntwo\n", 8));
	stream = fopen("f", "r");
	SAY(fgets(line, sizeof(line), stream) != NULL);
	say_text("line", line, 3);
	SAY(write(fd, "three\n", 6));
	SAY(fgets(line, sizeof(line), stream) != NULL);
	SAY(fgets(line, sizeof(line), stream) != NULL);
	SAY(fclose(stream));
	stream = fopen("f", "a");
	SAY(fprintf(stream, "%d\n", 4));
	SAY(fclose(stream));
	say_file("f", fd);
	SAY(write(fd, "5\n", 2));
	stream = fopen("f", "w");
	SAY(fputs("new\n", stream) >= 0);
	SAY(fflush(stream));
	say_file("f", fd);
	SAY(fclose(stream));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(pwrite(fd, "old", 3, 10));
	close(fd);
	SAY(fopen("none/f", "w") == NULL);
	SAY(fopen("none", "r") == NULL);
}

static void adopted(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	FILE *stream;

	SAY(write(fd, "by write ", 9));
	stream = fdopen(fd, "r+");
	SAY(ftell(stream));
	SAY(fprintf(stream, "by stream "));
	SAY(fflush(stream));
	SAY(write(fd, "by write", 8));
	say_file("f", fd);
	SAY(freopen("g", "w", stream) == stream);
	SAY(fprintf(stream, "other"));
	SAY(freopen("f", "r", stream) == stream);
	SAY(fgetc(stream));
	SAY(fclose(stream));
	fd = open_or_die("g", O_RDWR);
	say_file("g", fd);
	SAY(dprintf(fd, "%s-%d", "number", 5));
	SAY(lseek(fd, 0, SEEK_CUR));
	SAY(write(fd, "!", 1));
	say_file("g", fd);
	close(fd);
}

static void copied(void)
{
	int from = open_or_die("f", O_RDWR | O_CREAT);
	int to = open_or_die("g", O_RDWR | O_CREAT), ends[2];
	off_t place = 2;
	char bytes[32] = "";

	SAY(write(from, "0123456789abcdef", 16));
	SAY(lseek(from, 4, SEEK_SET));
	SAY(sendfile(to, from, NULL, 5));
	SAY(sendfile(to, from, &place, 3));
	SAY(place);
	SAY(lseek(from, 0, SEEK_CUR));
	SAY(lseek(to, 0, SEEK_CUR));
	SAY(write(to, "+", 1));
	place = 0;
	SAY(copy_file_range(from, &place, to, NULL, 4, 0));
	SAY(copy_file_range(from, NULL, to, NULL, 4, 0));
	SAY(lseek(from, 0, SEEK_CUR));
	SAY(write(to, "+", 1));
	say_file("g", to);
	SAY(pwrite(from, "XX", 2, 0));
	if (pipe(ends))
		exit(1);
	place = 0;
	SAY(splice(from, &place, ends[1], NULL, 6, 0));
	SAY(read(ends[0], bytes, sizeof(bytes)));
	say_text("spliced", bytes, 6);
	SAY(write(ends[1], "pipe", 4));
	SAY(splice(ends[0], NULL, to, NULL, 4, 0));
	say_file("g", to);
	close(from);
	close(to);
}

static long finish(struct aiocb *block)
{
	const struct aiocb *list[] = {block};

	while (aio_error(block) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	return aio_return(block);
}

static void requested(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	char bytes[16] = "", out[] = "aio bytes";
	struct aiocb put = {.aio_fildes = fd,
			    .aio_buf = out,
			    .aio_nbytes = 9,
			    .aio_offset = 3};
	struct aiocb get = {
		.aio_fildes = fd, .aio_buf = bytes, .aio_nbytes = 16};

	SAY(write(fd, "xyz", 3));
	SAY(aio_write(&put));
	SAY(finish(&put));
	SAY(write(fd, "XYZ", 3));
	SAY(aio_read(&get));
	SAY(finish(&get));
	say_text("read", bytes, 12);
	say_file("f", fd);
	close(fd);
}

/* A reader that opened the file as a stream before anybody wrote. */
static struct relay to_child, to_parent;

static void follow(int word)
{
	FILE *stream = fopen("f", "r");
	char line[32];

	setvbuf(stream, NULL, _IONBF, 0);
	relay_pass(&to_parent);
	for (int i = 0; i < 3; i++) {
		relay_take(&to_child);
		if (fgets(line, sizeof(line), stream))
			printf("follows: %s", line);
		else
			puts("nothing");
		clearerr(stream);
		relay_pass(&to_parent);
	}
	fclose(stream);
}

static void followed(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	pid_t pid;

	relay_make(&to_child);
	relay_make(&to_parent);
	pid = start(follow, 0);
	relay_take(&to_parent);
	for (int i = 0; i < 3; i++) {
		SAY(dprintf(fd, "line %d\n", i));
		relay_pass(&to_child);
		relay_take(&to_parent);
	}
	await(pid);
	say_file("f", fd);
	close(fd);
}

const struct script other_scripts[] = {
	{"mapped", mapped}, {"streams", streams},     {"adopted", adopted},
	{"copied", copied}, {"requested", requested}, {"followed", followed},
	{NULL, NULL},
};
