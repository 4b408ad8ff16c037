/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors by the thousand, closed in every way. */
#include "storm.h"

#include "../lib/raw.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MANY 3000
#define DONE_OPENED 0

static void allow(rlim_t count)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = count < limit.rlim_max ? count : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void open_many(int *fds)
{
	char byte;

	for (int i = 0; i < MANY; i++) {
		fds[i] = i % 3 ? tally_openfile("/dev/zero", O_RDONLY)
			       : tally_dup(fds[0] ? fds[0] : 0);
		tally_check(fds[i] >= 0);
		tally_do(DONE_OPENED);
	}
	for (int i = 1; i < MANY; i += 3)
		tally_check(tally_read(fds[i], &byte, 1) == 1);
}

/* By close, behind everybody's back, by dup2, and all at once. */
static void close_many(int *fds, long round)
{
	for (int i = 0; i < MANY; i++) {
		if (round % 3 == 0)
			tally_check(!tally_close(fds[i]));
		else if (round % 3 == 1)
			raw_call(SYS_close, fds[i]);
	}
	if (round % 3 == 2)
		close_range((unsigned)fds[0], ~0u, 0);
}

static int use_many(long count, char **argv)
{
	static int fds[MANY];

	allow(65536);
	for (long round = 0; round < count; round++) {
		for (int i = 0; i < MANY; i++)
			fds[i] = 0;
		open_many(fds);
		close_many(fds, round);
		/* a number that no table of descriptors may have room for */
		if (tally_dup2(0, 60000) == 60000)
			tally_check(!tally_close(60000));
	}
	return 0;
}

static void *reopen(void *arg)
{
	long count = (long)arg;

	for (long i = 0; i < count; i++) {
		int fd = tally_openfile("/dev/null", O_RDWR);

		/* it may be closed under our feet: only crashes count here */
		tally_write(fd, "x", 1);
		tally_fstat(fd);
	}
	return NULL;
}

/* All numbers closed again and again while threads open new ones. */
static int close_all(long count, char **argv)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, reopen, (void *)count);
	for (long round = 0; round < count / 20; round++) {
		for (int fd = 3; fd < 256; fd++)
			tally_close(fd);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int fd = 3; fd < 65536; fd++)
		raw_call(SYS_close, fd);
	return 0;
}

const struct storm storm_descriptors[] = {
	{"descriptors", use_many},
	{"close-all", close_all},
	{NULL, NULL},
};
