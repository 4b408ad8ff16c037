/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorder's clock: the processor's counter, or CLOCK_MONOTONIC. */
#ifndef WEIR_BASE_CLOCK_H
#define WEIR_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

static inline uint64_t weir_clock_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
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
