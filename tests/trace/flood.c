/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that make more calls than a small buffer can take. The n-th pread
 * of a thread is at offset n, so that a trace tells which ones it has; each
 * thread counts what it offered and prints it. The flood begins when standard
 * input ends.
 */
#include "../lib/raw.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_THREADS 64

static int fd;
static long calls;

static void *work(void *arg)
{
	char byte, text[64];
	int len;

	for (long i = 0; i < calls; i++)
		if (pread(fd, &byte, 1, i) < 0)
			return NULL;
	len = snprintf(text, sizeof(text), "%d %ld\n", gettid(), calls);
	raw_call(SYS_write, 1, text, len); /* which nobody may lose */
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[MOST_THREADS];
	int count = argc > 2 ? atoi(argv[1]) : 0;

	fd = open("/dev/null", O_RDONLY);
	if (fd < 0 || count < 1 || count > MOST_THREADS)
		return 2;
	calls = atol(argv[2]);
	while (getchar() != EOF)
		;
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
