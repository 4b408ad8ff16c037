/* SPDX-License-Identifier: BSD-3-Clause */
/* Many threads that all do I/O. */
#include "actor.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CROWD 64

static pthread_key_t last_words;

/* I/O while a thread is taken down: its other keys may be gone by then. */
static void at_end(void *number)
{
	actor_file("ended", (int)(long)number, "the end\n");
}

static void *write_file(void *number)
{
	char name[32], text[64], back[64] = "";
	int fd;

	pthread_setspecific(last_words, number);
	snprintf(name, sizeof(name), "thread-%ld", (long)number);
	snprintf(text, sizeof(text), "of thread %ld\n", (long)number);
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
	for (int i = 0; i < 50; i++) {
		if (fd < 0 || actor_put(fd, text))
			return "write";
	}
	if (pread(fd, back, strlen(text), 0) < 0 || strcmp(back, text))
		return "read back";
	return close(fd) ? "close" : NULL;
}

static int run_crowd(int argc, char **argv)
{
	pthread_t threads[CROWD];
	pthread_attr_t small;
	void *trouble;
	int bad = 0;

	pthread_key_create(&last_words, at_end);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 256 << 10);
	for (long i = 0; i < CROWD; i++) {
		if (pthread_create(&threads[i], &small, write_file,
				   (void *)(i + 1)))
			return 1;
	}
	for (int i = 0; i < CROWD; i++) {
		pthread_join(threads[i], &trouble);
		bad += !!trouble;
	}
	printf("%d threads, %d in trouble\n", CROWD, bad);
	return bad;
}

static void *sleep_in_read(void *fds)
{
	char byte;

	return (void *)read(((int *)fds)[0], &byte, 1);
}

/* Cancelled in a read that never returns. */
static int cancel_thread(int argc, char **argv)
{
	pthread_t thread;
	void *result;
	int fds[2];

	if (pipe(fds) || pthread_create(&thread, NULL, sleep_in_read, fds))
		return 1;
	usleep(1000);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	printf("%s\n", result == PTHREAD_CANCELED ? "cancelled" : "ended");
	return close(fds[0]) || close(fds[1]);
}

/* The main thread leaves first; the last one says goodbye. */
static void *outlive(void *arg)
{
	usleep(20000);
	return actor_file("outlived", 1, "still here\n") ? "no" : NULL;
}

static int leave_main(int argc, char **argv)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, outlive, NULL))
		return 1;
	printf("main leaves\n");
	fflush(stdout);
	pthread_exit(NULL);
}

const struct actor actor_threads[] = {
	{"crowd", run_crowd},
	{"cancel", cancel_thread},
	{"leave-main", leave_main},
	{NULL, NULL},
};
