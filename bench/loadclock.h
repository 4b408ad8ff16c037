/* SPDX-License-Identifier: BSD-3-Clause */
/* What loads for measuring a layer have in common. */
#ifndef WEIR_BENCH_LOADCLOCK_H
#define WEIR_BENCH_LOADCLOCK_H

#include <stdio.h>
#include <string.h>
#include <time.h>

/* A call to be measured: its i-th time. Other than 0: it failed. */
struct loadclock_mode {
	const char *name;
	int (*call)(long i);
};

static inline double loadclock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#define LOADCLOCK_BATCH 500

/* What the calls from `first` on take, ns; below 0: one failed. */
static inline double loadclock_batch(int (*call)(long i), long first,
				     long calls)
{
	double start = loadclock_now();

	for (long i = first; i < first + calls; i++)
		if (call(i))
			return -1;
	return loadclock_now() - start;
}

/*
 * Prints ns a call, after a tenth that is not counted, and of the fastest
 * batch, which other work hardly reaches. 0, or 1: it failed.
 */
static inline int loadclock_measure(int (*call)(long i), long calls)
{
	double all = 0, best = 1e18;
	long done = 0, each;

	if (loadclock_batch(call, 0, calls / 10 + 64) < 0)
		return 1;
	for (; done < calls; done += each) {
		double took;

		each = calls - done < LOADCLOCK_BATCH ? calls - done
						      : LOADCLOCK_BATCH;
		took = loadclock_batch(call, done, each);
		if (took < 0)
			return 1;
		all += took;
		best = took / (double)each < best ? took / (double)each : best;
	}
	printf("ns %.1f\nfastest %.1f\n", all / (double)calls, best);
	return 0;
}

/* 0; 1: it failed, 2: there is no such mode. */
static inline int loadclock_run(const struct loadclock_mode *modes,
				size_t count, const char *name, long calls)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(modes[i].name, name))
			return loadclock_measure(modes[i].call, calls);
	return 2;
}

#endif
