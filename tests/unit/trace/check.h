/* SPDX-License-Identifier: BSD-3-Clause */
/* cmocka and what it wants before it. */
#ifndef WEIR_TESTS_CHECK_H
#define WEIR_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The thread sanitizer is some thirty times slower, and one thread is seen as
 * well in a few steps: loops there do every so many of them. */
#ifdef __SANITIZE_THREAD__
#define SEVERAL 31
#else
#define SEVERAL 1
#endif

#endif
