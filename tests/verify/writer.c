/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a file in one of the ways of libc; which bytes it has is always the
 * same.
 *
 * usage: writer WAY FILE
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define RECORD 1000
#define MANY   16

static unsigned char record[RECORD];

/* Different for each record, and never a zero. */
static const void *make(int number)
{
	uint32_t state = (uint32_t)number * 2654435761u + 12345;

	for (int i = 0; i < RECORD; i++) {
		state = state * 1664525u + 1013904223u;
		record[i] = (unsigned char)(state >> 24 | 1);
	}
	return record;
}

static void must(int fine, const char *what)
{
	if (fine)
		return;
	perror(what);
	exit(1);
}

static int make_file(const char *path, int flags)
{
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR | flags, 0644);

	must(fd >= 0, path);
	return fd;
}

static void by_write(const char *path)
{
	int fd = make_file(path, 0);

	for (int i = 0; i < MANY; i++)
		must(write(fd, make(i), RECORD) == RECORD, "write");
	close(fd);
}

static void by_append(const char *path)
{
	int fd = make_file(path, O_APPEND);

	for (int i = 0; i < MANY; i++)
		must(write(fd, make(i), RECORD) == RECORD, "write");
	close(fd);
}

/* From the end to the beginning, with holes; one twice. */
static void by_pwrite(const char *path)
{
	int fd = make_file(path, 0);

	for (int i = MANY; i-- > 0;)
		must(pwrite(fd, make(i), RECORD, i * 1500) == RECORD,
		     "pwrite");
	must(pwrite(fd, make(99), RECORD, 4 * 1500 + 100) == RECORD, "pwrite");
	close(fd);
}

static void by_writev(const char *path)
{
	int fd = make_file(path, 0);

	for (int i = 0; i < MANY; i++) {
		struct iovec parts[2] = {
			{ (void *)(uintptr_t)make(i), 300 },
			{ record + 300, RECORD - 300 },
		};

		must(writev(fd, parts, 2) == RECORD, "writev");
	}
	close(fd);
}

static void by_fwrite(const char *path)
{
	FILE *file = fopen(path, "w");

	must(file != NULL, path);
	for (int i = 0; i < MANY; i++)
		must(fwrite(make(i), 1, RECORD, file) == RECORD, "fwrite");
	must(!fclose(file), "fclose");
}

static void by_fprintf(const char *path)
{
	FILE *file = fopen(path, "w");

	must(file != NULL, path);
	for (int i = 0; i < 400; i++) {
		fprintf(file, "line %d of %s: %g\n", i, "many", i * 0.25);
		fputs("and", file);
		fputc('\n', file);
	}
	must(!fclose(file), "fclose");
}

/* Several processes, each its part; and a file that changes its name. */
static void by_children(const char *path)
{
	char first[4096];

	snprintf(first, sizeof(first), "%s.part", path);
	close(make_file(first, 0));
	for (int child = 0; child < 4; child++) {
		int fd;

		if (fork())
			continue;
		fd = open(first, O_WRONLY);
		for (int i = child; i < MANY; i += 4)
			must(pwrite(fd, make(i), RECORD, i * RECORD) == RECORD,
			     "pwrite");
		exit(0);
	}
	while (wait(NULL) > 0)
		;
	must(!rename(first, path), "rename");
}

static const struct {
	const char *name;
	void (*write)(const char *path);
} ways[] = {
	{ "write", by_write },	 { "append", by_append },
	{ "pwrite", by_pwrite }, { "writev", by_writev },
	{ "fwrite", by_fwrite }, { "fprintf", by_fprintf },
	{ "children", by_children },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(argv[1], ways[i].name)) {
			ways[i].write(argv[2]);
			return 0;
		}
	fprintf(stderr, "usage: writer WAY FILE\n");
	return 2;
}
