/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a file as told, cold, and computes in between:
 *
 *	read_load FILE seq|stride=BYTES|random RECORD COUNT COMPUTE_NS [THREADS]
 *
 * prints the time in ns, and a sum of what was read, which knows its order. By
 * several threads the same is read in no order: as fast as it can be had.
 */
#include "loadclock.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define THREADS_MOST 64
#define AT_ONCE	     8 /* records that a thread takes */

struct load {
	int fd;
	int64_t stride; /* 0: at random */
	uint64_t record, count, size;
	unsigned char *bytes;
	uint64_t sum;
	_Atomic uint64_t next; /* that no thread has taken */
};

static unsigned char *make_room(const struct load *load)
{
	unsigned char *room = calloc(1, load->record);

	if (!room)
		exit(1);
	return room;
}

/* Each read's own: threads share nothing. */
static uint64_t mix(uint64_t i)
{
	i = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	i = (i ^ i >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return i ^ i >> 31;
}

static uint64_t place_of(const struct load *load, uint64_t i)
{
	uint64_t places = load->size / load->record;

	if (load->stride > 0)
		return i * (uint64_t)load->stride;
	if (load->stride < 0)
		return load->size - load->record -
		       i * (uint64_t)-load->stride;
	return mix(i) % places * load->record;
}

static void take_in(struct load *load)
{
	uint64_t word;

	for (uint64_t i = 0; i + 8 <= load->record; i += 512) {
		memcpy(&word, load->bytes + i, 8);
		load->sum = load->sum * 31 + word;
	}
}

static void compute(uint64_t ns)
{
	double end = loadclock_now() + (double)ns;

	while (ns && loadclock_now() < end)
		;
}

static void read_record(struct load *load, uint64_t i, unsigned char *to)
{
	if (pread(load->fd, to, load->record, (off_t)place_of(load, i)) !=
	    (ssize_t)load->record) {
		perror("pread");
		exit(1);
	}
}

static void run(struct load *load, uint64_t ns)
{
	for (uint64_t i = 0; i < load->count; i++) {
		read_record(load, i, load->bytes);
		take_in(load);
		compute(ns);
	}
}

static void *take_part(void *arg)
{
	struct load *load = arg;
	unsigned char *bytes = make_room(load);
	uint64_t i;

	while ((i = load->next++ * AT_ONCE) < load->count)
		for (uint64_t end = i + AT_ONCE; i < end && i < load->count;
		     i++)
			read_record(load, i, bytes);
	free(bytes);
	return NULL;
}

static void run_together(struct load *load, unsigned long count)
{
	pthread_t threads[THREADS_MOST];

	for (unsigned long i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, take_part, load))
			exit(1);
	for (unsigned long i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void begin(struct load *load, char **words)
{
	struct stat about;

	load->fd = open(words[1], O_RDONLY);
	if (load->fd < 0 || fstat(load->fd, &about)) {
		perror(words[1]);
		exit(1);
	}
	load->size = (uint64_t)about.st_size;
	load->record = strtoull(words[3], NULL, 10);
	load->count = strtoull(words[4], NULL, 10);
	if (!strcmp(words[2], "seq"))
		load->stride = (int64_t)load->record;
	else if (!strncmp(words[2], "stride=", 7))
		load->stride = strtoll(words[2] + 7, NULL, 10);
	load->bytes = make_room(load);
	posix_fadvise(load->fd, 0, 0, POSIX_FADV_DONTNEED);
}

int main(int argc, char **argv)
{
	struct load load = { 0 };
	unsigned long threads = 1;
	double start;

	if (argc == 7)
		threads = strtoul(argv[6], NULL, 10);
	if (argc < 6 || argc > 7 || !threads || threads > THREADS_MOST) {
		fputs("usage: read_load FILE seq|stride=BYTES|random RECORD "
		      "COUNT COMPUTE_NS [THREADS]\n",
		      stderr);
		return 2;
	}
	begin(&load, argv);
	start = loadclock_now();
	if (threads > 1)
		run_together(&load, threads);
	else
		run(&load, strtoull(argv[5], NULL, 10));
	printf("ns %.0f\nsum %" PRIu64 "\n", loadclock_now() - start,
	       load.sum >> 32);
	return 0;
}
