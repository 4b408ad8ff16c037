/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the dictionaries that a trace carries. */
#ifndef WEIR_DUMP_LEXICON_H
#define WEIR_DUMP_LEXICON_H

#include "trace/read/reader.h"

#include <stdint.h>

struct weir_lexicon_format;

/* text, jsonl or csv; NULL when there is no such format. */
const struct weir_lexicon_format *weir_lexicon_format(const char *name);

/*
 * Writes layers, kinds and calls to fd, of each dictionary once: nodes mostly
 * have the same. Tells how many there were. 0 or -errno.
 */
int weir_lexicon_write(const struct weir_reader *reader,
		       const struct weir_lexicon_format *format, int fd,
		       uint32_t *ret_count);

#endif
