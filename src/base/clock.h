/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the recorder's clock: the processor's counter, or CLOCK_MONOTONIC. */
#ifndef WEIR_BASE_CLOCK_H
#define WEIR_BASE_CLOCK_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#ifdef WEIR_INJECT
int weir_inject_clock(clockid_t id, struct timespec *now);
#define WEIR_CLOCK_GET weir_inject_clock
#else
#define WEIR_CLOCK_GET clock_gettime
#endif

/* 0 when the clock cannot be read; errno stays. */
static inline uint64_t weir_clock_ns(clockid_t id)
{
	struct timespec now;
	int err = errno;

	if (__builtin_expect(WEIR_CLOCK_GET(id, &now), 0)) {
		errno = err;
		return 0;
	}
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) +
	       (uint64_t)now.tv_nsec;
}

/* The counter itself; only meaningful when the kernel trusts it too. */
static inline uint64_t weir_clock_counter(void)
{
#if defined(__x86_64__)
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#else
	return weir_clock_ns(CLOCK_MONOTONIC);
#endif
}

static inline uint64_t weir_clock_tick(bool use_counter)
{
	if (__builtin_expect(use_counter, 1))
		return weir_clock_counter();
	return weir_clock_ns(CLOCK_MONOTONIC);
}

#endif
