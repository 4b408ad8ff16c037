/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves bytes by calls that return when that is done. */
#include "moves.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_write(const struct moves_task *t)
{
	for (long i = 0; i < t->rounds; i++)
		moves_add(&moved.written, write(t->fd, t->data, t->size));
}

static void run_read(const struct moves_task *t)
{
	while (moves_add(&moved.read, read(t->fd, t->data, t->size)))
		;
}

static void run_pwrite(const struct moves_task *t)
{
	for (long i = 0; i < t->rounds; i++)
		moves_add(&moved.written, pwrite(t->fd, t->data, t->size,
						 moves_place(t, i, 0)));
}

static void run_pread(const struct moves_task *t)
{
	for (long i = 0; i < t->rounds; i++)
		moves_add(&moved.read, pread(t->fd, t->data, t->size,
					     moves_place(t, i, 0)));
}

static void fill_vector(const struct moves_task *t, struct iovec *vec)
{
	for (int i = 0; i < MOVES_BATCH; i++)
		vec[i] = (struct iovec){ t->data + (size_t)i * t->size,
					 t->size };
}

static void run_pwritev(const struct moves_task *t)
{
	struct iovec vec[MOVES_BATCH];

	fill_vector(t, vec);
	for (long i = 0; i < t->rounds; i++)
		moves_add(&moved.written, pwritev(t->fd, vec, MOVES_BATCH,
						  moves_place(t, i, 0)));
}

static void run_preadv2(const struct moves_task *t)
{
	struct iovec vec[MOVES_BATCH];

	fill_vector(t, vec);
	for (long i = 0; i < t->rounds; i++)
		moves_add(&moved.read, preadv2(t->fd, vec, MOVES_BATCH,
					       moves_place(t, i, 0), 0));
}

static void run_fwrite(const struct moves_task *t)
{
	FILE *stream = fdopen(dup(t->fd), "w");

	for (long i = 0; i < t->rounds; i++)
		moves_add(&moved.written,
			  (long)fwrite(t->data, 1, t->size, stream));
	fclose(stream);
}

static void run_fread(const struct moves_task *t)
{
	FILE *stream = fopen(t->name, "r");

	while (moves_add(&moved.read,
			 (long)fread(t->data, 1, t->size, stream)))
		;
	fclose(stream);
}

static void run_print(const struct moves_task *t)
{
	FILE *stream = fopen(t->name, "w");

	for (long i = 0; i < t->rounds; i++) {
		moves_add(&moved.written, fprintf(stream, "line %ld\n", i));
		moves_add(&moved.written, fputs("word\n", stream) < 0 ? -1 : 5);
		moves_add(&moved.written, putc('x', stream) < 0 ? -1 : 1);
	}
	fclose(stream);
}

static void run_lines(const struct moves_task *t)
{
	FILE *stream = fopen(t->name, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	while ((len = getline(&line, &room, stream)) > 0)
		moves_add(&moved.read, len);
	fclose(stream);
}

static void run_sendfile(const struct moves_task *t)
{
	char name[4096];
	off_t from = 0;
	long got;
	int to;

	snprintf(name, sizeof(name), "%s.copy", t->name);
	to = open(name, O_WRONLY | O_CREAT, 0644);
	moves_need(to >= 0, name);
	while ((got = sendfile(to, t->fd, &from, t->size)) > 0)
		moves_add(&moved.copied, got);
	close(to);
}

static void run_copy_range(const struct moves_task *t)
{
	char name[4096];
	long got;
	int to;

	snprintf(name, sizeof(name), "%s.copy", t->name);
	to = open(name, O_WRONLY | O_CREAT, 0644);
	moves_need(to >= 0, name);
	while ((got = copy_file_range(t->fd, NULL, to, NULL, t->size, 0)) > 0)
		moves_add(&moved.copied, got);
	close(to);
}

/* What is stored through memory nobody sees. */
static void run_mmap(const struct moves_task *t)
{
	size_t all = (size_t)t->rounds * t->size;
	char *map;

	moves_need(!ftruncate(t->fd, (off_t)all), "ftruncate");
	map = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED, t->fd, 0);
	moves_need(map != MAP_FAILED, "mmap");
	memset(map, 3, all);
	msync(map, all, MS_SYNC);
	munmap(map, all);
}

/* Half of them fail. */
static void run_failing(const struct moves_task *t)
{
	int fd = open(t->name, O_RDONLY);

	for (long i = 0; i < t->rounds; i++) {
		moves_add(&moved.written, write(t->fd, t->data, t->size));
		moves_need(write(fd, t->data, t->size) < 0, "bad write");
	}
	close(fd);
}

static void run_fork(const struct moves_task *t)
{
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (!pid) {
			run_pwrite(t);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		moved.written += (uint64_t)t->rounds * t->size;
	}
	run_pread(t);
}

static void run_pipe(const struct moves_task *t)
{
	int ends[2];

	moves_need(!pipe(ends), "pipe");
	for (long i = 0; i < t->rounds; i++) {
		moves_add(&moved.written, write(ends[1], t->data, 512));
		moves_add(&moved.read, read(ends[0], t->data, 512));
		moves_add(&moved.written, write(t->fd, t->data, t->size));
	}
}

const struct moves_way moves_plain[] = {
	{ "write", "posix", run_write },
	{ "read", "posix", run_read },
	{ "pwrite", "posix", run_pwrite },
	{ "pread", "posix", run_pread },
	{ "pwritev", "posix", run_pwritev },
	{ "preadv2", "posix", run_preadv2 },
	{ "fwrite", "stdio", run_fwrite },
	{ "fread", "stdio", run_fread },
	{ "print", "stdio", run_print },
	{ "lines", "stdio", run_lines },
	{ "sendfile", "posix", run_sendfile },
	{ "copy-range", "posix", run_copy_range },
	{ "mmap", "posix", run_mmap },
	{ "failing", "posix", run_failing },
	{ "fork", "posix", run_fork },
	{ "pipe", "posix", run_pipe },
	{ 0 },
};
