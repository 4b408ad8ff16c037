/* SPDX-License-Identifier: BSD-3-Clause */
/* usage: script NAME|--list|--kernel, in an empty directory. */
#include "script.h"

#include "raw.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const struct script *const all[] = {data_scripts,    place_scripts,
					   name_scripts,    share_scripts,
					   process_scripts, other_scripts,
					   stdio_scripts,   stdio_lives,
					   handed_scripts,  look_scripts,
					   bypass_scripts,  lock_scripts};

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

/* What the kernel itself has of a file that was written a moment ago. */
static void ask_kernel(void)
{
	int fd = open_or_die("f", O_RDWR | O_CREAT);
	struct stat about = { 0 };

	SAY(write(fd, "12345", 5));
	raw_call(SYS_fstat, fd, &about);
	printf("the kernel has %ld\n", (long)about.st_size);
	close(fd);
}

/* The same of one that a stream has flushed. */
static void ask_kernel_of_stream(void)
{
	FILE *f = stream_or_die("g", "w");
	struct stat about = { 0 };

	SAY(fputs("12345", f) >= 0);
	SAY(fflush(f));
	raw_call(SYS_fstat, fileno(f), &about);
	printf("of a stream the kernel has %ld\n", (long)about.st_size);
	fclose(f);
}

static const struct script *find(const char *name)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (const struct script *at = all[i]; at->name; at++)
			if (!strcmp(at->name, name))
				return at;
	return NULL;
}

int main(int argc, char **argv)
{
	const struct script *script = argc > 1 ? find(argv[1]) : NULL;

	if (argc > 1 && !strcmp(argv[1], "--list"))
		for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
			for (script = all[i]; script->name; script++)
				puts(script->name);
	else if (argc > 1 && !strcmp(argv[1], "--kernel"))
		ask_kernel(), ask_kernel_of_stream();
	else if (script)
		script->play();
	else
		return 2;
	return 0;
}
