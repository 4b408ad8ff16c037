/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats figures for people. */
#ifndef WEIR_OUTPUT_MEASURES_H
#define WEIR_OUTPUT_MEASURES_H

#include <stdint.h>

#define WEIR_MEASURES_ROOM 24

/* "17 B", "1.5 MiB"; at most 9 letters. Returns `to`. */
const char *weir_measures_bytes(char to[WEIR_MEASURES_ROOM], uint64_t bytes);

/* "950 ns", "1.2 ms", "75.3 s"; at most 9 letters. */
const char *weir_measures_time(char to[WEIR_MEASURES_ROOM], uint64_t ns);

/* "9999999", "12.3 M"; at most 7 letters below 10^18. */
const char *weir_measures_count(char to[WEIR_MEASURES_ROOM], uint64_t count);

/* "2026-05-04 13:37:00 UTC" of CLOCK_REALTIME in ns. */
const char *weir_measures_moment(char to[WEIR_MEASURES_ROOM], uint64_t ns);

/* Names of the classes of sizes and of durations, in cells' order. */
const char *weir_measures_size_class(int class);

#endif
