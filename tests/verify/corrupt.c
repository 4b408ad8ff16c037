/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Spoils one write of a process, behind libweir.so: stands for a library or a
 * file system that loses what it was given and says that all went well.
 *
 * CORRUPT=KIND:N:NAME  the N-th write, from 1, to a file whose path has NAME;
 *                      KIND none: nothing, but writes are counted
 * CORRUPT_LOG=FILE     gets a line when it is done: KIND OFFSET SIZE, or how
 *                      many writes there were
 *
 * Of an MPI program only rank 0 spoils, or that in CORRUPT_RANK.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define LONGEST ((size_t)8 << 20)

/* What is written instead, and where. */
struct spoiled {
	const char *bytes;
	size_t size;
	off_t shift;
};

static struct {
	bool is_known;
	char kind[16];
	long number;
	char name[256];
	char log[512];
} order;

static long count;
static char before[LONGEST], other[LONGEST];
static size_t before_size;

/* Not libweir's: that would be a call of the program. */
#define NEXT(function) ((__typeof__(&function))next_of(#function))

static void *next_of(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static bool is_rank(void)
{
	static const char *const variables[] = { "OMPI_COMM_WORLD_RANK",
						 "PMI_RANK" };
	const char *wanted = getenv("CORRUPT_RANK");

	for (int i = 0; i < 2; i++) {
		const char *rank = getenv(variables[i]);

		if (rank)
			return !strcmp(rank, wanted ? wanted : "0");
	}
	return true;
}

static void read_order(void)
{
	const char *text = getenv("CORRUPT"), *log = getenv("CORRUPT_LOG");

	order.is_known = true;
	if (!text || !is_rank() ||
	    sscanf(text, "%15[a-z]:%ld:%255s", order.kind, &order.number,
		   order.name) != 3)
		order.number = -1;
	if (log)
		snprintf(order.log, sizeof(order.log), "%s", log);
}

static bool is_meant(int fd)
{
	char link[64], path[4096];
	ssize_t len;

	if (!order.is_known)
		read_order();
	if (order.number < 1)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = NEXT(readlink)(link, path, sizeof(path) - 1);
	if (len < 0)
		return false;
	path[len] = 0;
	return strstr(path, order.name) != NULL;
}

static void note(off_t at, size_t size)
{
	char line[128];
	int fd = NEXT(open)(order.log, O_WRONLY | O_CREAT | O_APPEND, 0644);
	int len = snprintf(line, sizeof(line), "%s %lld %zu\n", order.kind,
			   (long long)at, size);

	if (fd < 0)
		return;
	NEXT(write)(fd, line, (size_t)len);
	NEXT(close)(fd);
}

__attribute__((destructor)) static void tell_count(void)
{
	if (count && !strcmp(order.kind, "none"))
		note(0, (size_t)count);
}

static void drop(struct spoiled *s)
{
	s->size = 0;
}

static void cut(struct spoiled *s)
{
	s->size /= 2;
}

static void move(struct spoiled *s)
{
	s->shift = 64;
}

static void flip(struct spoiled *s)
{
	memcpy(other, s->bytes, s->size);
	other[s->size / 2] ^= 0x10;
	s->bytes = other;
}

static void swap(struct spoiled *s)
{
	size_t half = s->size / 2;

	memcpy(other, s->bytes + half, s->size - half);
	memcpy(other + (s->size - half), s->bytes, half);
	s->bytes = other;
}

/* What was written the last time comes again. */
static void repeat(struct spoiled *s)
{
	memcpy(other, s->bytes, s->size);
	memcpy(other, before, s->size < before_size ? s->size : before_size);
	s->bytes = other;
}

static const struct {
	const char *name;
	void (*spoil)(struct spoiled *s);
} kinds[] = {
	{ "drop", drop }, { "short", cut },  { "move", move },
	{ "flip", flip }, { "swap", swap }, { "stale", repeat },
};

/* True: it is this one, and `s` says what becomes of it. */
static bool spoil(int fd, off_t at, struct spoiled *s)
{
	bool is_it;

	if (!s->size || s->size > LONGEST || !is_meant(fd))
		return false;
	is_it = ++count == order.number;
	for (size_t i = 0; is_it && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, order.kind)) {
			note(at, s->size);
			kinds[i].spoil(s);
		}
	if (!is_it) {
		memcpy(before, s->bytes, s->size);
		before_size = s->size;
	}
	return is_it;
}

/* All of it, as far as its caller can tell. */
static ssize_t pwrite_spoiled(int fd, const void *bytes, size_t size, off_t at)
{
	struct spoiled s = { .bytes = bytes, .size = size };

	if (!spoil(fd, at, &s))
		return NEXT(pwrite)(fd, bytes, size, at);
	if (s.size)
		NEXT(pwrite)(fd, s.bytes, s.size, at + s.shift);
	return (ssize_t)size;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	return pwrite_spoiled(fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at)
{
	return pwrite_spoiled(fd, bytes, size, at);
}

static ssize_t write_spoiled(int fd, const void *bytes, size_t size)
{
	struct spoiled s = { .bytes = bytes, .size = size };
	off_t at = NEXT(lseek)(fd, 0, SEEK_CUR);

	if (at < 0 || !spoil(fd, at, &s))
		return NEXT(write)(fd, bytes, size);
	if (s.size)
		NEXT(pwrite)(fd, s.bytes, s.size, at + s.shift);
	NEXT(lseek)(fd, at + (off_t)size, SEEK_SET);
	return (ssize_t)size;
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	return write_spoiled(fd, bytes, size);
}

/* All pieces as one; NULL: too many bytes. */
static char *join(const struct iovec *list, int number, size_t *ret_size)
{
	static char whole[LONGEST];
	size_t size = 0;

	for (int i = 0; i < number; i++) {
		if (size + list[i].iov_len > LONGEST)
			return NULL;
		memcpy(whole + size, list[i].iov_base, list[i].iov_len);
		size += list[i].iov_len;
	}
	*ret_size = size;
	return whole;
}

ssize_t writev(int fd, const struct iovec *list, int number)
{
	size_t size;
	char *whole = join(list, number, &size);

	return whole && is_meant(fd) ? write_spoiled(fd, whole, size)
				     : NEXT(writev)(fd, list, number);
}

static ssize_t pwritev_spoiled(int fd, const struct iovec *list, int number,
			       off_t at)
{
	size_t size;
	char *whole = join(list, number, &size);

	return whole && is_meant(fd) ? pwrite_spoiled(fd, whole, size, at)
				     : NEXT(pwritev)(fd, list, number, at);
}

ssize_t pwritev(int fd, const struct iovec *list, int number, off_t at)
{
	return pwritev_spoiled(fd, list, number, at);
}

ssize_t pwritev64(int fd, const struct iovec *list, int number, off_t at)
{
	return pwritev_spoiled(fd, list, number, at);
}

/* What libc writes out of its own buffers no library sees; this comes first. */
size_t fwrite(const void *bytes, size_t each, size_t number, FILE *stream)
{
	struct spoiled s = { .bytes = bytes, .size = each * number };

	if (!spoil(NEXT(fileno)(stream), NEXT(ftell)(stream), &s))
		return NEXT(fwrite)(bytes, each, number, stream);
	NEXT(fseek)(stream, s.shift, SEEK_CUR);
	NEXT(fwrite)(s.bytes, 1, s.size, stream);
	NEXT(fseek)(stream, (long)(each * number - s.size) - s.shift,
		    SEEK_CUR);
	return number;
}
