/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes system calls without libc: errno stays, nothing can be intercepted. */
#ifndef WEIR_BASE_SYS_H
#define WEIR_BASE_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* Returns what the kernel returned: -errno on failure. */
static inline long weir_sys_call(long number, long a, long b, long c, long d,
				 long e, long f)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			   "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
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
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
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
#else
#error "weir knows the system calls of x86-64, aarch64 and s390x only"
#endif
}

/* In a library for tests alone, calls can be made to fail: tests/inject. */
#ifdef WEIR_INJECT
long weir_inject_call(long number, long a, long b, long c, long d, long e,
		      long f);
#define WEIR_SYS_CALL weir_inject_call
#else
#define WEIR_SYS_CALL weir_sys_call
#endif

#define weir_sys6(n, a, b, c, d, e, f)                                    \
	WEIR_SYS_CALL((n), (long)(a), (long)(b), (long)(c), (long)(d),    \
		      (long)(e), (long)(f))
#define weir_sys4(n, a, b, c, d) weir_sys6(n, a, b, c, d, 0, 0)
#define weir_sys3(n, a, b, c)    weir_sys6(n, a, b, c, 0, 0, 0)
#define weir_sys2(n, a, b)       weir_sys6(n, a, b, 0, 0, 0, 0)
#define weir_sys1(n, a)          weir_sys6(n, a, 0, 0, 0, 0, 0)
#define weir_sys0(n)             weir_sys6(n, 0, 0, 0, 0, 0, 0)

/* An address may look negative: only the last page of numbers is errors. */
static inline bool weir_sys_failed(long ret)
{
	return ret < 0 && ret > -4096;
}

/* Growing a file beyond the limit would not only fail but signal. */
static inline bool weir_sys_limits_files(size_t bytes)
{
	struct rlimit limit;

	return weir_sys4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &limit) ||
	       limit.rlim_cur < bytes;
}

#endif
