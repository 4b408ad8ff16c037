/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of a fuzzer as a .weir file whose checks are right. */
#ifndef WEIR_TESTS_SEAL_H
#define WEIR_TESTS_SEAL_H

#include <stddef.h>
#include <stdint.h>

/* A file in memory, to be closed. Temporary files are in memory, too, then. */
int sealed_file(const uint8_t *data, size_t size);

#endif
