/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace of several processes and layers, made by hand. */
#ifndef WEIR_TESTS_CROWDTRACE_H
#define WEIR_TESTS_CROWDTRACE_H

#include <stdint.h>

/* Calls of each thread; there are 2 in each process. */
#define CROWDTRACE_CALLS 4000
#define CROWDTRACE_PROCS 5
#define CROWDTRACE_SHARED 6 /* files, and a dataset in each */

/* A file in memory; the same bytes for the same seed. */
int crowdtrace_make(uint64_t seed);

#endif
