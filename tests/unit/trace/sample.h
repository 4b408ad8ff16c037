/* SPDX-License-Identifier: BSD-3-Clause */
/* A small raw trace with one of everything, always the same. */
#ifndef WEIR_TESTS_SAMPLE_H
#define WEIR_TESTS_SAMPLE_H

#include "trace/file/store.h"

#include <stdint.h>

/* Events that a reader hands out of so many rounds, LOSS note included. */
#define SAMPLE_EVENTS(rounds) (19 + 2 * (rounds))
#define SAMPLE_ROUNDS         1500

/* Writes the trace. */
void sample_write(struct weir_store *store, int rounds);

/* A nameless file in memory, and its path for those who open by name. */
int sample_file(void);
const char *sample_path(int fd);

/* A memory file with the sample, raw or packed. */
int sample_raw(int rounds);
int sample_packed(int rounds);

#endif
