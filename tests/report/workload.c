/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls by chance, of several processes with several threads, on files in
 * the current directory. usage: workload SEED CALLS
 *
 * Some threads do one thing only, so that every rule has something to say.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES 3
#define THREADS	  3
#define SLOTS	  100 /* places in a file, so that pieces stay few */
#define SLOT	  70000

static char bytes[1 << 17];
static uint64_t seed;
static int calls, process;

static void check(int holds, const char *what)
{
	if (holds)
		return;
	perror(what);
	exit(1);
}

static uint64_t below(uint64_t *state, uint64_t limit)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return (*state >> 33) % limit;
}

static int open_file(const char *kind, int number, int flags)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), "%s.%d", kind, number);
	fd = open(name, flags | O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	check(fd >= 0, name);
	return fd;
}

/* Anything on one descriptor. */
static void do_any(int fd, uint64_t *state)
{
	off_t place = (off_t)(below(state, SLOTS) * SLOT);
	size_t size = below(state, 5) ? below(state, 5000) :
					below(state, SLOT);
	struct stat status;

	switch (below(state, 9)) {
	case 0:
		check(lseek(fd, place, SEEK_SET) == place, "lseek");
		break;
	case 1:
		check(fstat(fd, &status) == 0, "fstat");
		break;
	case 2:
		check(fdatasync(fd) == 0, "fdatasync");
		break;
	case 3:
		check(pread(fd, bytes, size, place) >= 0, "pread");
		break;
	case 4:
		check(pwrite(fd, bytes, size, place) >= 0, "pwrite");
		break;
	case 5:
		check(pread(fd, bytes, size, -1) < 0, "before the file");
		break;
	case 6:
		check(read(fd, bytes, size) >= 0, "read");
		break;
	default:
		check(write(fd, bytes, below(state, 300)) >= 0, "write");
	}
}

static void do_chance(int number, uint64_t *state)
{
	int shared = open_file("shared", (int)below(state, 2), 0);
	int own = open_file("own", number, O_APPEND);

	for (int i = 0; i < calls; i++) {
		int fd = below(state, 3) ? shared : own;

		check(lseek(fd, 0, SEEK_CUR) >= 0, "lseek");
		if (lseek(fd, 0, SEEK_CUR) > (off_t)SLOTS * SLOT)
			check(lseek(fd, 0, SEEK_SET) == 0, "lseek");
		do_any(fd, state);
	}
	close(shared);
	close(own);
}

/* In order, at equal distances, all over; read, changed and written back. */
static void do_patterns(int number, uint64_t *state)
{
	int order = open_file("order", number, 0);
	int steps = open_file("steps", number, 0);
	int jumps = open_file("jumps", number, 0);
	int strides = open_file("strides", number, 0);

	for (int i = 0; i < calls; i++) {
		off_t jump = (off_t)(below(state, SLOTS) * SLOT);

		check(write(order, bytes, 100) == 100, "write");
		check(pwrite(steps, bytes, 10000, i % SLOTS * SLOT) == 10000,
		      "pwrite");
		check(pwrite(strides, bytes, 9, i % SLOTS * 1000L) == 9,
		      "pwrite");
		check(pread(strides, bytes, 9, i % SLOTS * 1000L) >= 0,
		      "pread");
		check(lseek(jumps, jump, SEEK_SET) == jump, "lseek");
		check(read(jumps, bytes, 50) >= 0, "read");
		check(pread(steps, bytes, 80, jump) >= 0, "pread");
		check(pwrite(steps, bytes, 80, jump) >= 0, "pwrite");
	}
	for (int i = 0; i < 60; i++)
		check(pread(order, bytes, sizeof(bytes), 0) >= 0, "pread");
	close(order);
	close(steps);
	close(jumps);
	close(strides);
}

/* From file to file, and into memory that is mapped. */
static void do_copies(int number)
{
	int from = open_file("common", 0, 0);
	int to = open_file("copied", number, 0);
	struct stat status;
	char name[64];

	snprintf(name, sizeof(name), "copied.%d", number);
	for (int i = 0; i < 130; i++) {
		off_t place = i * 100L;
		void *map;

		check(copy_file_range(from, &place, to, NULL, 5000, 0) > 0,
		      "copy_file_range");
		check(stat(name, &status) == 0, name);
		check(sendfile(to, from, &place, 300) == 300, "sendfile");
		check(stat(name, &status) == 0, name);
		map = mmap(NULL, 4096, PROT_READ | (i % 2 ? PROT_WRITE : 0),
			   MAP_SHARED, to, 0);
		check(map != MAP_FAILED, "mmap");
		check(stat(name, &status) == 0, name);
		munmap(map, 4096);
	}
	close(from);
	close(to);
}

/* One that is flushed all the time, one of full buffers. */
static void do_streams(int number)
{
	FILE *streams[2];
	char name[64];

	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "%s.%d", i ? "pages" : "stream",
			 number);
		streams[i] = fopen(name, "w+e");
		check(streams[i] != NULL, name);
	}
	for (int i = 0; i < calls; i++) {
		check(fwrite(bytes, 1, 50, streams[0]) == 50, "fwrite");
		check(i % 2 || fflush(streams[0]) == 0, "fflush");
		check(fwrite(bytes, 1, 1500, streams[1]) == 1500, "fwrite");
	}
	for (int i = 0; i < 2; i++) {
		rewind(streams[i]);
		while (fread(bytes, 1, 999, streams[i]) == 999)
			;
		fclose(streams[i]);
	}
}

/* Names, streams and files for which writes wait. */
static void do_names(int number, uint64_t *state)
{
	char name[64], elsewhere[80];
	struct stat status;
	int fd;

	for (int i = 0; i < calls / 4; i++) {
		snprintf(name, sizeof(name), "small.%d.%d", number, i % 60);
		fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		check(fd >= 0 && write(fd, bytes, below(state, 99)) >= 0 &&
		      close(fd) == 0, name);
		check(stat(name, &status) == 0 && stat(name, &status) == 0,
		      "stat");
		snprintf(elsewhere, sizeof(elsewhere), "nowhere/%s", name);
		check(access(elsewhere, F_OK) < 0, "access");
		check(below(state, 3) || unlink(name) == 0, "unlink");
	}
	fd = open_file("synchronous", number, O_DSYNC);
	for (int i = 0; i < 20; i++)
		check(write(fd, bytes, 10) == 10, "write");
	close(fd);
	do_streams(number);
	do_copies(number);
}

static void *work(void *context)
{
	static void (*const kinds[THREADS])(int, uint64_t *) = {
		do_chance, do_patterns, do_names,
	};
	int number = process * THREADS + (int)(intptr_t)context;
	uint64_t state = seed * 1000 + (uint64_t)number;

	kinds[number % THREADS](number, &state);
	return NULL;
}

/* All read the same, once. */
static void read_common(void)
{
	int fd = open_file("common", 0, 0);

	for (int i = 0; i < 20; i++)
		check(pread(fd, bytes, sizeof(bytes),
			    (off_t)i * (off_t)sizeof(bytes)) > 0, "pread");
	close(fd);
}

static void make_common(void)
{
	int fd = open_file("common", 0, O_TRUNC);

	for (int i = 0; i < 20; i++)
		check(write(fd, bytes, sizeof(bytes)) == sizeof(bytes),
		      "write");
	close(fd);
}

/* Parts of each in turns, small ones and large ones. */
static void write_between(const int files[2])
{
	for (int i = 0; i < calls; i++)
		check(pwrite(files[0], bytes, 90,
			     (i % SLOTS * PROCESSES + process) * 90L) == 90,
		      "pwrite");
	for (int i = 0; i < calls / 20; i++)
		check(pwrite(files[1], bytes, SLOT,
			     ((off_t)i * PROCESSES + process) * SLOT) == SLOT,
		      "pwrite");
}

static void be_process(int number, const int files[2])
{
	pthread_t threads[THREADS];

	process = number;
	read_common();
	write_between(files);
	for (intptr_t i = 0; i < THREADS; i++)
		check(!pthread_create(&threads[i], NULL, work, (void *)i),
		      "thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	int status, files[2];

	if (argc != 3)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	calls = atoi(argv[2]);
	make_common();
	files[0] = open_file("between", 0, 0);
	files[1] = open_file("large", 0, 0);
	for (int i = 0; i < PROCESSES; i++) {
		pid_t child = fork();

		check(child >= 0, "fork");
		if (child)
			continue;
		be_process(i, files);
		return 0;
	}
	for (int i = 0; i < PROCESSES; i++)
		check(wait(&status) > 0 && status == 0, "a child");
	return 0;
}
