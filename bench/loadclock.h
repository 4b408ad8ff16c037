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

/* Prints ns a call, after a tenth that is not counted. 0, or 1: it failed. */
static inline int loadclock_measure(int (*call)(long i), long calls)
{
	double start;

	for (long i = 0; i < calls / 10 + 64; i++)
		if (call(i))
			return 1;
	start = loadclock_now();
	for (long i = 0; i < calls; i++)
		if (call(i))
			return 1;
	printf("ns %.1f\n", (loadclock_now() - start) / (double)calls);
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
