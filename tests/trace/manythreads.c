/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads by the thousand, all alive at once, each with a file of its own and
 * its share of small calls: manythreads FOLDER THREADS CALLS. Begins when
 * standard input ends, and says when the calls are made.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_barrier_t all_there;
static const char *folder;
static int calls;

static int make_calls(int number)
{
	char path[4096], bytes[64] = "";
	int fd, bad;

	snprintf(path, sizeof(path), "%s/%d", folder, number);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	bad = fd < 0;
	pthread_barrier_wait(&all_there);
	for (int i = 0; !bad && i < calls; i += 2) {
		bad |= pwrite(fd, bytes, sizeof(bytes), i * 64) != 64;
		bad |= pread(fd, bytes, sizeof(bytes), i * 64) != 64;
	}
	return bad || close(fd) || unlink(path);
}

static void *live(void *number)
{
	return make_calls((int)(intptr_t)number) ? "bad" : NULL;
}

int main(int argc, char **argv)
{
	int threads = argc == 4 ? atoi(argv[2]) : 0, bad = !threads;
	pthread_t *list = calloc((size_t)threads, sizeof(*list));
	pthread_attr_t small;

	if (bad)
		return 2;
	folder = argv[1];
	calls = atoi(argv[3]);
	while (getchar() != EOF)
		;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	pthread_barrier_init(&all_there, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++) {
		int err = pthread_create(&list[i], &small, live,
					 (void *)(intptr_t)i);

		if (err) {
			errno = err;
			perror("thread");
			return 1;
		}
	}
	for (int i = 0; i < threads; i++) {
		void *answer;

		pthread_join(list[i], &answer);
		bad |= !!answer;
	}
	free(list);
	puts("done");
	return bad;
}
