/* SPDX-License-Identifier: BSD-3-Clause */
/* A load for measuring the recorder: one kind of call, many times. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MOST_THREADS 64
#define FILE_BYTES   (64 << 20)
#define BATCH	     500

struct worker;
typedef uint64_t pattern(struct worker *worker, uint64_t i);

struct mode {
	const char *name;
	const char *about;
	pattern *call; /* makes the i-th call(s), returns the offset used */
	unsigned calls; /* made by one turn of `call` */
};

struct worker {
	const struct mode *mode;
	pthread_t thread;
	int fd;
	FILE *stream;
	uint64_t turns, offsets, random;
	double ns; /* per call */
	char path[512];
	char buffer[4096];
};

static pthread_barrier_t start_line;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t next_random(struct worker *w)
{
	w->random ^= w->random << 13;
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	return w->random;
}

static void must(int good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* 8-byte pwrite and pread in turns, each through the file in order. */
static uint64_t regular(struct worker *w, uint64_t i)
{
	off_t at = (off_t)(i / 2 * 8 % FILE_BYTES);

	if (i % 2)
		must(pread(w->fd, w->buffer, 8, at) == 8, "pread");
	else
		must(pwrite(w->fd, w->buffer, 8, at) == 8, "pwrite");
	return (uint64_t)at;
}

static uint64_t random_offsets(struct worker *w, uint64_t i)
{
	off_t at = (off_t)(next_random(w) % (FILE_BYTES - 8));

	(void)i;
	must(pread(w->fd, w->buffer, 8, at) == 8, "pread");
	return (uint64_t)at;
}

static uint64_t write_4k(struct worker *w, uint64_t i)
{
	if (i % (FILE_BYTES / 4096) == 0)
		must(lseek(w->fd, 0, SEEK_SET) == 0, "lseek");
	must(write(w->fd, w->buffer, 4096) == 4096, "write");
	return i % (FILE_BYTES / 4096) * 4096;
}

static uint64_t vector(struct worker *w, uint64_t i)
{
	struct iovec parts[2] = { { w->buffer, 8 }, { w->buffer + 64, 8 } };

	if (i % (FILE_BYTES / 16) == 0)
		must(lseek(w->fd, 0, SEEK_SET) == 0, "lseek");
	must(writev(w->fd, parts, 2) == 16, "writev");
	return i % (FILE_BYTES / 16) * 16;
}

static uint64_t open_close(struct worker *w, uint64_t i)
{
	int fd = open(w->path, O_RDONLY);

	(void)i;
	must(fd >= 0, "open");
	close(fd);
	return 0;
}

/* Four requests: open, write 8 bytes, read 8 bytes, close. */
static uint64_t request(struct worker *w, uint64_t i)
{
	int fd = open(w->path, O_RDWR);

	(void)i;
	must(fd >= 0, "open");
	must(write(fd, w->buffer, 8) == 8, "write");
	must(read(fd, w->buffer, 8) == 8, "read");
	close(fd);
	return 0;
}

static uint64_t ask_stat(struct worker *w, uint64_t i)
{
	struct stat st;

	(void)i;
	must(!fstat(w->fd, &st), "fstat");
	return 0;
}

/* Buffered: one call in 512 meets the kernel. */
static uint64_t fwrite_8(struct worker *w, uint64_t i)
{
	if (i % (FILE_BYTES / 8) == 0)
		rewind(w->stream);
	must(fwrite(w->buffer, 8, 1, w->stream) == 1, "fwrite");
	return i % (FILE_BYTES / 8) * 8;
}

static uint64_t fread_8(struct worker *w, uint64_t i)
{
	if (i % (FILE_BYTES / 8) == 0)
		rewind(w->stream);
	must(fread(w->buffer, 8, 1, w->stream) == 1, "fread");
	return i % (FILE_BYTES / 8) * 8;
}

static const struct mode modes[] = {
	{ "regular", "8-byte pread/pwrite in order", regular, 1 },
	{ "random", "8-byte pread at random offsets", random_offsets, 1 },
	{ "write4k", "4 KiB write", write_4k, 1 },
	{ "writev", "writev of 2 x 8 bytes", vector, 1 },
	{ "openclose", "open and close", open_close, 2 },
	{ "request", "open, write and read 8 bytes, close", request, 4 },
	{ "fstat", "fstat", ask_stat, 1 },
	{ "fwrite", "8-byte fwrite in order", fwrite_8, 1 },
	{ "fread", "8-byte fread in order", fread_8, 1 },
};

static void *work(void *data)
{
	struct worker *w = data;
	uint64_t began;

	pthread_barrier_wait(&start_line);
	began = now();
	for (uint64_t i = 0; i < w->turns; i++)
		w->offsets += w->mode->call(w, i);
	w->ns = (double)(now() - began) / (double)(w->turns * w->mode->calls);
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Each call timed alone: the clock's own cost is in both columns. */
static void tell_tail(struct worker *w)
{
	uint64_t *times = malloc(w->turns * sizeof(*times));

	must(times != NULL, "malloc");
	for (uint64_t i = 0; i < w->turns; i++) {
		uint64_t began = now();

		w->offsets += w->mode->call(w, i);
		times[i] = now() - began;
	}
	qsort(times, w->turns, sizeof(*times), by_value);
	printf("p50 %llu\np999 %llu\n",
	       (unsigned long long)times[w->turns / 2],
	       (unsigned long long)times[w->turns - w->turns / 1000 - 1]);
	free(times);
}

static void open_file(struct worker *w, const char *directory, int number)
{
	snprintf(w->path, sizeof(w->path), "%s/load.%d", directory, number);
	w->fd = open(w->path, O_RDWR | O_CREAT, 0600);
	must(w->fd >= 0, w->path);
	/* Allocated by hand so that no mode meets a hole. */
	memset(w->buffer, 'w', sizeof(w->buffer));
	must(!posix_fallocate(w->fd, 0, FILE_BYTES), "posix_fallocate");
	w->stream = fopen(w->path, "r+");
	must(w->stream != NULL, w->path);
	w->random = 88172645463325252u + (uint64_t)number;
}

/* What /proc says: peak memory, and the mappings of trace memory. */
static void tell_memory(void)
{
	FILE *in = fopen("/proc/self/status", "r");
	unsigned long long from, to, mapped = 0, kb;
	char line[8192];

	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "VmHWM: %llu kB", &kb) == 1)
			printf("hwm %llu\n", kb * 1024);
	if (in)
		fclose(in);
	in = fopen("/proc/self/maps", "r");
	while (in && fgets(line, sizeof(line), in))
		if (strstr(line, ".live") &&
		    sscanf(line, "%llx-%llx", &from, &to) == 2)
			mapped += to - from;
	if (in)
		fclose(in);
	printf("mapped %llu\n", mapped);
}

/* The fastest batch: other work on the machine hardly reaches it. */
static void tell_fastest(struct worker *w)
{
	uint64_t best = UINT64_MAX, done = 0;

	while (done + BATCH <= w->turns) {
		uint64_t from = now(), took;

		for (int i = 0; i < BATCH; i++)
			w->offsets += w->mode->call(w, done++);
		took = now() - from;
		best = took < best ? took : best;
	}
	printf("fastest %.2f\n", (double)best / BATCH / w->mode->calls);
}

static const struct mode *find_mode(const char *name)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(modes[i].name, name))
			return &modes[i];
	fprintf(stderr, "usage: load MODE CALLS THREADS DIRECTORY "
		"[tail|fastest]\n");
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		fprintf(stderr, "  %-10s %s\n", modes[i].name, modes[i].about);
	exit(2);
}

int main(int argc, char **argv)
{
	static struct worker workers[MOST_THREADS];
	uint64_t began = now(), offsets = 0;
	const struct mode *mode = find_mode(argc > 4 ? argv[1] : "");
	int threads = atoi(argv[3]);

	must(threads > 0 && threads <= MOST_THREADS, "number of threads");
	pthread_barrier_init(&start_line, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++) {
		workers[i].mode = mode;
		workers[i].turns = strtoull(argv[2], NULL, 10) / mode->calls;
		open_file(&workers[i], argv[4], i);
	}
	if (argc > 5 && !strcmp(argv[5], "fastest"))
		tell_fastest(&workers[0]);
	else if (argc > 5)
		tell_tail(&workers[0]);
	for (int i = 0; i < threads && argc <= 5; i++)
		must(!pthread_create(&workers[i].thread, NULL, work,
				     &workers[i]), "pthread_create");
	for (int i = 0; i < threads; i++) {
		if (argc <= 5)
			pthread_join(workers[i].thread, NULL);
		printf("ns %.2f\n", workers[i].ns);
		offsets += workers[i].offsets;
	}
	printf("offsets %llu\n", (unsigned long long)offsets);
	tell_memory();
	printf("began %llu\nended %llu\n", (unsigned long long)began,
	       (unsigned long long)now());
	return 0;
}
