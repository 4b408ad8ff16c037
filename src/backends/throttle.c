/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `throttle`: as posix, but as slow as told, whatever lies below:
 *
 *	rate=SIZE	bytes in a second, of all files together
 *	burst=SIZE	how much may be saved up while nothing is done
 *	latency=TIME	what each request takes beside, several at once
 */
#include "backends/plain.h"
#include "backends/terms.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

struct throttle {
	uint64_t rate, burst, latency;
	pthread_mutex_t lock;
	uint64_t free_at; /* when all that was asked for will have gone */
};

static const struct weir_terms_option words[] = {
	{"rate", WEIR_TERMS_SIZE, offsetof(struct throttle, rate)},
	{"burst", WEIR_TERMS_SIZE, offsetof(struct throttle, burst)},
	{"latency", WEIR_TERMS_TIME, offsetof(struct throttle, latency)},
	{ .name = NULL },
};

/* The descriptor and 1: no file is NULL. */
static int fd_of(void *file)
{
	return (int)(intptr_t)file - 1;
}

static uint64_t time_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* Without a rate bytes take no time. */
static uint64_t time_of(const struct throttle *throttle, uint64_t bytes)
{
	return throttle->rate ? (uint64_t)((double)bytes * (double)SECOND /
					   (double)throttle->rate) :
				0;
}

/*
 * When a request for so many bytes that comes now is to be over: after all that
 * came before it. What was not used while nothing was done is lost, but for
 * `burst`.
 */
static uint64_t take_share(struct throttle *throttle, uint64_t bytes)
{
	uint64_t start = time_now(), saved = time_of(throttle, throttle->burst);
	uint64_t over, least = start > saved ? start - saved : 0;

	pthread_mutex_lock(&throttle->lock);
	if (throttle->free_at < least)
		throttle->free_at = least;
	throttle->free_at += time_of(throttle, bytes);
	over = throttle->free_at;
	pthread_mutex_unlock(&throttle->lock);
	return (over > start ? over : start) + throttle->latency;
}

/* Until a time, not for one: a signal must not make it longer. */
static void sleep_until(uint64_t when)
{
	struct timespec time = {(time_t)(when / SECOND), (long)(when % SECOND)};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) ==
	       EINTR)
		;
}

static int begin_throttle(const char *options, void **ret_self)
{
	struct throttle *throttle = calloc(1, sizeof(*throttle));
	int err = throttle ? weir_terms_read("throttle", options, words,
					     throttle) :
			     -ENOMEM;

	if (err) {
		free(throttle);
		return err;
	}
	pthread_mutex_init(&throttle->lock, NULL);
	*ret_self = throttle;
	return 0;
}

static void end_throttle(void *self)
{
	struct throttle *throttle = self;

	pthread_mutex_destroy(&throttle->lock);
	free(throttle);
}

static int open_throttle(void *self, int fd, void **ret_file)
{
	*ret_file = (void *)(intptr_t)(fd + 1);
	return 0;
}

static void close_file(void *self, void *file)
{
	close(fd_of(file));
}

static int64_t write_throttle(void *self, void *file, const struct iovec *parts,
			      int count, int64_t offset)
{
	uint64_t length = 0, over;
	int64_t done;

	for (int i = 0; i < count; i++)
		length += parts[i].iov_len;
	/* before the call: what it takes itself is part of it */
	over = take_share(self, length);
	done = weir_plain_write(fd_of(file), parts, count, offset);
	sleep_until(over);
	return done;
}

static int64_t read_throttle(void *self, void *file, void *bytes,
			     uint64_t length, int64_t offset)
{
	int64_t got = weir_plain_read(fd_of(file), bytes, length, offset);

	/* only now is it known how much there was */
	sleep_until(take_share(self, got > 0 ? (uint64_t)got : 0));
	return got;
}

static int sync_file(void *self, void *file)
{
	uint64_t over = take_share(self, 0);
	int err = weir_plain_sync(fd_of(file));

	sleep_until(over);
	return err;
}

static int truncate_file(void *self, void *file, int64_t length)
{
	uint64_t over = take_share(self, 0);
	int err = weir_plain_truncate(fd_of(file), length);

	sleep_until(over);
	return err;
}

static int ask_extent(void *self, void *file,
		      struct weir_backend_extent *ret_extent)
{
	return weir_plain_extent(fd_of(file), ret_extent);
}

const struct weir_backend weir_backend = {
	.version = WEIR_BACKEND_VERSION,
	.flags = WEIR_BACKEND_READS,
	.name = "throttle",
	.begin = begin_throttle,
	.end = end_throttle,
	.open = open_throttle,
	.close = close_file,
	.write = write_throttle,
	.read = read_throttle,
	.sync = sync_file,
	.truncate = truncate_file,
	.extent = ask_extent,
};
