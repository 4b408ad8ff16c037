/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * System calls that nobody between the program and the kernel can see: even
 * libc's syscall() is a function that others may put theirs before. Shared
 * with nothing that is tested.
 */
#ifndef RAW_H
#define RAW_H

#include <sys/syscall.h>

static inline long raw_call6(long number, long a, long b, long c, long d,
			     long e, long f)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "+a"(number)
			 : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return number;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4),
			   "r"(x5)
			 : "memory");
	return x0;
#elif defined(__s390x__)
	/* This one finds its arguments in memory. */
	long of_mmap[] = { a, b, c, d, e, f };
	register long r1 __asm__("r1") = number;
	register long r2 __asm__("r2") =
		number == SYS_mmap ? (long)of_mmap : a;
	register long r3 __asm__("r3") = b;
	register long r4 __asm__("r4") = c;
	register long r5 __asm__("r5") = d;
	register long r6 __asm__("r6") = e;
	register long r7 __asm__("r7") = f;

	__asm__ volatile("svc 0"
			 : "+d"(r2)
			 : "d"(r1), "d"(r3), "d"(r4), "d"(r5), "d"(r6), "d"(r7)
			 : "memory");
	return r2;
#endif
}

/* The number and up to four arguments; -errno on failure. */
#define raw_call(...) raw_pad(__VA_ARGS__, 0, 0, 0, 0, 0)
#define raw_pad(number, a, b, c, d, ...)                                  \
	raw_call6(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

#endif
