/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes of bytes that know nothing of a format, as libFuzzer makes them. */
#ifndef WEIR_TESTS_BYTEWISE_H
#define WEIR_TESTS_BYTEWISE_H

#include <stdint.h>

void bytewise_seed(uint64_t seed);

/* Any number below this; 0: 0. */
uint64_t bytewise_draw(uint64_t below);

#endif
