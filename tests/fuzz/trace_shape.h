/* SPDX-License-Identifier: BSD-3-Clause */
/* The .weir file for fuzzers: its blocks, and checks that are right. */
#ifndef WEIR_TESTS_TRACE_SHAPE_H
#define WEIR_TESTS_TRACE_SHAPE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Bytes of a fuzzer as a file in memory whose checks are right, to be closed.
 * Temporary files are in memory, too, then.
 */
int sealed_file(const uint8_t *data, size_t size);

#endif
