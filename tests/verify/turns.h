/* SPDX-License-Identifier: BSD-3-Clause */
/* What the cases of turns.c and turns_calls.c share. */
#ifndef TURNS_H
#define TURNS_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 4096
#define SIZE  (4 * BLOCK)

static inline void must(int fine, const char *what)
{
	if (fine)
		return;
	perror(what);
	exit(1);
}

static inline const void *letters(int letter)
{
	static _Thread_local char bytes[SIZE];

	for (int i = 0; i < SIZE; i++)
		bytes[i] = (char)(letter + i % 23);
	return bytes;
}

static inline int make(const char *path, int flags)
{
	int fd = open(path, O_RDWR | O_CREAT | flags, 0644);

	must(fd >= 0, path);
	return fd;
}

static inline void put(int fd, int letter, off_t at, size_t size)
{
	must(pwrite(fd, letters(letter), size, at) == (ssize_t)size, "pwrite");
}

static inline void put_next(int fd, int letter, size_t size)
{
	must(write(fd, letters(letter), size) == (ssize_t)size, "write");
}

static inline const char *beside(const char *path)
{
	static char name[4096];

	snprintf(name, sizeof(name), "%s.new", path);
	return name;
}

struct turn {
	const char *name;
	void (*play)(const char *path);
};

extern const struct turn turns_calls[]; /* up to one without a name */

#endif
