/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage: honest FILE
 *
 * Writes and reads a file as any program does, and knows what must be in it,
 * until its input ends; and others, FILE.later, that do not last. First it
 * tells which service it has, at the end how many rounds it made; what was not
 * as it had to be is told and returned. FILE.last is the same as FILE then.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#define SIZE (1 << 20)

static unsigned char model[SIZE];
static int64_t length;
static uint64_t state = 88172645463325252u;

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static int fault(const char *what, long at)
{
	printf("FAULT: %s at %ld: %s\n", what, at, strerror(errno));
	fflush(stdout);
	return 1;
}

static int write_some(int fd)
{
	size_t size = 1 + any() % 6000;
	int64_t at = (int64_t)(any() % (SIZE - size));

	for (size_t i = 0; i < size; i++)
		model[at + (int64_t)i] = (unsigned char)any();
	if (length < at + (int64_t)size)
		length = at + (int64_t)size;
	if (pwrite(fd, model + at, size, at) != (ssize_t)size)
		return fault("pwrite", at);
	return 0;
}

static int read_some(int fd)
{
	static unsigned char bytes[20000];
	int64_t at = (int64_t)(any() % SIZE);
	ssize_t wanted = at >= length ? 0 :
			 length - at < (int64_t)sizeof(bytes) ?
				 (ssize_t)(length - at) :
				 (ssize_t)sizeof(bytes);
	ssize_t got = pread(fd, bytes, sizeof(bytes), at);

	if (got != wanted)
		return fault("pread brought another length", at);
	if (memcmp(bytes, model + at, (size_t)got))
		return fault("pread brought other bytes", at);
	return 0;
}

static int ask_size(int fd)
{
	struct stat status;

	if (fstat(fd, &status) || status.st_size != length)
		return fault("fstat", (long)status.st_size);
	return 0;
}

/* Another descriptor of the same file: the service is asked for it. */
static int open_again(const char *path)
{
	int fd = open(path, O_RDWR);
	int faults;

	if (fd < 0)
		return fault("open", 0);
	faults = write_some(fd) + read_some(fd);
	if (close(fd))
		faults += fault("close", 0);
	return faults;
}

/* As many bytes of the model, and then they are there. */
static int extend(int fd, size_t from, size_t to)
{
	static unsigned char bytes[8000];

	if (write(fd, model + from, to - from) != (ssize_t)(to - from))
		return fault("write of one that is created later", (long)from);
	if (pread(fd, bytes, sizeof(bytes), 0) != (ssize_t)to)
		return fault("another length, created later", (long)to);
	if (memcmp(bytes, model, to))
		return fault("other bytes, created later", (long)to);
	return 0;
}

/* One that may be created later: it is asked for, has another name, or none. */
static int change_later(int fd, const char *path, unsigned long round)
{
	char other[4096];
	struct stat status;

	snprintf(other, sizeof(other), "%s-2", path);
	if (round % 4 == 1 && fsync(fd))
		return fault("fsync of one that is created later", 0);
	if (round % 4 == 2 && (rename(path, other) || rename(other, path)))
		return fault("rename of one that is created later", 0);
	if (round % 4 == 3 && (stat(path, &status) || status.st_size != 1000))
		return fault("stat of one that is created later", 0);
	return unlink(path) ? fault("unlink", 0) : 0;
}

static int use_later(const char *file, unsigned long round)
{
	char path[4000];
	int fd, faults;

	snprintf(path, sizeof(path), "%s.later", file);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return fault("open of one that is created later", 0);
	faults = extend(fd, 0, 1000) + change_later(fd, path, round) +
		 extend(fd, 1000, 3000);
	if (ftruncate(fd, 500) || lseek(fd, 500, SEEK_SET) != 500)
		faults += fault("cut of one that is created later", 0);
	faults += extend(fd, 500, 4000);
	if (close(fd))
		faults += fault("close of one that is created later", 0);
	return faults;
}

static int leave_last(const char *file)
{
	char path[4000];
	int fd;

	snprintf(path, sizeof(path), "%s.last", file);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || write(fd, model, (size_t)length) != length || close(fd))
		return fault("the last one", fd);
	return 0;
}

static int one_round(int fd, const char *path, unsigned long round)
{
	int faults = write_some(fd) + read_some(fd) + ask_size(fd);

	faults += use_later(path, round);

	if (round % 64 == 0 && fsync(fd))
		faults += fault("fsync", 0);
	if (round % 16 == 0)
		faults += open_again(path);
	return faults;
}

/* Adler-32 of what must be in the file, for who looks at it afterwards. */
static uint32_t sum_of_all(void)
{
	uint32_t a = 1, b = 0;

	for (int64_t i = 0; i < length; i++) {
		a = (a + model[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

static int is_over(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };

	return poll(&input, 1, 2) > 0;
}

int main(int argc, char **argv)
{
	const char *service = getenv("WEIR_FORWARD");
	int fd = argc == 2 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
	unsigned long round = 0;
	int faults = 0;

	if (fd < 0 || !service)
		return 2;
	faults += write_some(fd);
	if (fsync(fd)) /* others ask for it by its name */
		faults += fault("fsync", 0);
	printf("%s\n", service);
	fflush(stdout);
	while (!is_over() && faults < 10)
		faults += one_round(fd, argv[1], round++);
	if (close(fd))
		faults += fault("close", 0);
	faults += leave_last(argv[1]);
	printf("%lu rounds, %d faults, %u\n", round, faults, sum_of_all());
	return faults != 0;
}
