/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded: the time of day is SKEW seconds off. Not told by the environment:
 * there is none yet when the recorder starts.
 */
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

#define PUBLIC __attribute__((visibility("default")))

PUBLIC int clock_gettime(clockid_t id, struct timespec *now)
{
	int (*next)(clockid_t, struct timespec *) =
		(int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT,
							     "clock_gettime");
	int ret = next(id, now);

	if (!ret && id == CLOCK_REALTIME)
		now->tv_sec += SKEW;
	return ret;
}

PUBLIC int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec real;

	(void)zone;
	if (clock_gettime(CLOCK_REALTIME, &real))
		return -1;
	now->tv_sec = real.tv_sec;
	now->tv_usec = real.tv_nsec / 1000;
	return 0;
}

PUBLIC time_t time(time_t *to)
{
	struct timespec real;

	if (clock_gettime(CLOCK_REALTIME, &real))
		return -1;
	if (to)
		*to = real.tv_sec;
	return real.tv_sec;
}
