/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that change a file otherwise than by writing to one descriptor. */
#include "turns.h"

#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

static void descriptors(const char *path)
{
	int fd = make(path, O_TRUNC), copy = dup(fd);

	put_next(fd, 'a', 100);
	put_next(copy, 'b', 100);
	must(dup2(fd, 77) == 77, "dup2");
	close(fd);
	put_next(77, 'c', 100);
	close(copy);
	put_next(77, 'd', 100);
	close(77);
}

static void cut_and_grown(const char *path)
{
	int fd = make(path, O_TRUNC);

	put(fd, 'a', 0, SIZE);
	must(!ftruncate(fd, BLOCK + 5), "ftruncate");
	must(!ftruncate(fd, 3 * BLOCK), "ftruncate");
	put(fd, 'b', 2 * BLOCK, 100);
	close(fd);
	must(!truncate(path, 2 * BLOCK + 50), "truncate");
}

static void sparse(const char *path, int mode)
{
	int fd = make(path, O_TRUNC);

	put(fd, 'a', 0, SIZE);
	if (fallocate(fd, mode, BLOCK, BLOCK))
		perror("fallocate"); /* not every file system has it */
	close(fd);
}

static void punched(const char *path)
{
	sparse(path, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE);
}

static void zeroed(const char *path)
{
	sparse(path, FALLOC_FL_ZERO_RANGE);
}

static void collapsed(const char *path)
{
	sparse(path, FALLOC_FL_COLLAPSE_RANGE);
}

static void inserted(const char *path)
{
	sparse(path, FALLOC_FL_INSERT_RANGE);
}

static void reserved(const char *path)
{
	int fd = make(path, O_TRUNC);

	must(!posix_fallocate(fd, 0, SIZE), "posix_fallocate");
	put(fd, 'a', BLOCK, BLOCK);
	close(fd);
}

static int source_for(const char *path)
{
	int fd = make(beside(path), O_TRUNC);

	put(fd, 's', 0, SIZE);
	return fd;
}

static void sent(const char *path)
{
	int from = source_for(path), fd = make(path, O_TRUNC);

	put_next(fd, 'a', 100);
	must(sendfile(fd, from, &(off_t){0}, BLOCK) == BLOCK, "sendfile");
	put_next(fd, 'b', 100);
	close(fd);
	close(from);
}

static void copied(const char *path)
{
	int from = source_for(path), fd = make(path, O_TRUNC);

	put(fd, 'a', 0, SIZE);
	must(copy_file_range(from, &(off_t){0}, fd, &(off_t){100}, BLOCK, 0) ==
		     BLOCK,
	     "copy_file_range");
	close(fd);
	close(from);
}

static void spliced(const char *path)
{
	int fd = make(path, O_TRUNC), ends[2];

	must(!pipe(ends), "pipe");
	put_next(ends[1], 'p', 1000);
	must(splice(ends[0], NULL, fd, NULL, 1000, 0) == 1000, "splice");
	put_next(fd, 'q', 500);
	close(fd);
}

static void mapped_too(const char *path)
{
	int fd = make(path, O_TRUNC);
	char *there;

	put(fd, 'a', 0, SIZE);
	there = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(there != MAP_FAILED, "mmap");
	close(fd);
	memcpy(there + 100, letters('z'), BLOCK);
	munmap(there, SIZE);
}

/* Mapped to be read: nothing is stored. */
static void mapped_to_read(const char *path)
{
	int fd = make(path, O_TRUNC);
	char *there;

	put(fd, 'a', 0, SIZE);
	there = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
	must(there != MAP_FAILED && there[0] == 'a', "mmap");
	close(fd);
	munmap(there, SIZE);
}

static void vectors(const char *path)
{
	int fd = make(path, O_TRUNC);
	struct iovec parts[2] = {
		{(void *)letters('a'), 100},
		{(void *)letters('a'), 2000},
	};

	must(writev(fd, parts, 2) == 2100, "writev");
	must(pwritev2(fd, parts, 2, 50, 0) == 2100, "pwritev2");
	must(pwritev2(fd, parts, 2, 0, RWF_APPEND) == 2100, "RWF_APPEND");
	close(fd);
}

static void streams(const char *path)
{
	FILE *file = fopen(path, "w+"), *other;

	must(file != NULL, "fopen");
	fprintf(file, "%s", "a line\n");
	fseek(file, 2, SEEK_SET);
	fputs("XY", file);
	fflush(file);
	other = fopen(path, "a");
	must(other != NULL, "fopen");
	fputs("another line\n", other);
	fclose(other);
	fseek(file, 0, SEEK_SET);
	fputc('Z', file);
	file = freopen(beside(path), "w", file);
	must(file != NULL, "freopen");
	fputs("elsewhere\n", file);
	fclose(file);
}

/* What a stream has in its buffer comes last, though it was put first. */
static void buffered(const char *path)
{
	FILE *file = fopen(path, "w");
	int fd = make(path, 0);

	must(file != NULL, "fopen");
	fputs("put first, written last", file);
	put(fd, 'x', 0, 40);
	fclose(file);
	close(fd);
}

const struct turn turns_calls[] = {
	{ "descriptors", descriptors },
	{ "cut_and_grown", cut_and_grown },
	{ "punched", punched },
	{ "zeroed", zeroed },
	{ "collapsed", collapsed },
	{ "inserted", inserted },
	{ "reserved", reserved },
	{ "sent", sent },
	{ "copied", copied },
	{ "spliced", spliced },
	{ "mapped_too", mapped_too },
	{ "mapped_to_read", mapped_to_read },
	{ "vectors", vectors },
	{ "streams", streams },
	{ "buffered", buffered },
	{ NULL, NULL },
};
