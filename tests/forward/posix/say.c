/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls on files returned and left, said so that it can be compared. */
#include "script.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

long say(const char *what, long ret)
{
	if (ret == -1)
		printf("%s = -1 %s\n", what, strerrorname_np(errno));
	else
		printf("%s = %ld\n", what, ret);
	fflush(stdout);
	return ret;
}

void say_text(const char *what, const void *bytes, size_t count)
{
	printf("%s: \"%.*s\"\n", what, (int)count, (const char *)bytes);
	fflush(stdout);
}

int open_or_die(const char *path, int flags)
{
	int fd = open(path, flags, 0644);

	if (fd < 0) {
		printf("cannot open %s: %s\n", path, strerror(errno));
		exit(1);
	}
	return fd;
}

void fill(void *to, size_t count, size_t from)
{
	unsigned char *bytes = to;

	for (size_t i = 0; i < count; i++)
		bytes[i] = (unsigned char)('a' + (from + i) * 2654435761u /
							 65536 % 26);
}

void say_file(const char *what, int fd)
{
	unsigned char bytes[4096];
	uint64_t sum = 14695981039346656037u, length = 0;
	ssize_t got;

	while ((got = pread(fd, bytes, sizeof(bytes), (off_t)length)) > 0) {
		for (ssize_t i = 0; i < got; i++)
			sum = (sum ^ bytes[i]) * 1099511628211u;
		length += (uint64_t)got;
	}
	printf("%s: %llu bytes, %016llx%s\n", what, (unsigned long long)length,
	       (unsigned long long)sum, got ? ", and an error" : "");
	fflush(stdout);
}

FILE *stream_or_die(const char *path, const char *mode)
{
	FILE *f = fopen(path, mode);

	if (f)
		return f;
	printf("cannot open %s: %s\n", path, strerror(errno));
	exit(1);
}

void put_file(const char *path, const char *text)
{
	int fd = open_or_die(path, O_WRONLY | O_CREAT | O_TRUNC);

	if (write(fd, text, strlen(text)) < 0)
		exit(1);
	close(fd);
}

void say_path(const char *path)
{
	int fd = open_or_die(path, O_RDONLY);

	say_file(path, fd);
	close(fd);
}

void say_state(const char *what, FILE *f)
{
	int eof = feof(f) != 0, wrong = ferror(f) != 0;
	long at = ftell(f);

	printf("%s: at %ld%s%s\n", what, at, eof ? ", end" : "",
	       wrong ? ", error" : "");
	fflush(stdout);
}

pid_t start(void (*play)(int word), int word)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid)
		return pid;
	play(word);
	exit(0);
}

void await(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	if (status)
		printf("a child ended with %x\n", status);
}

void relay_make(struct relay *relay)
{
	if (pipe(relay->ends))
		exit(1);
}

void relay_pass(const struct relay *relay)
{
	if (write(relay->ends[1], "x", 1) != 1)
		exit(1);
}

void relay_take(const struct relay *relay)
{
	char byte;

	if (read(relay->ends[0], &byte, 1) != 1)
		exit(1);
}
