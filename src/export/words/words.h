/* SPDX-License-Identifier: BSD-3-Clause */
/* Names numbers: flags, commands, advice. */
#ifndef WEIR_WORDS_WORDS_H
#define WEIR_WORDS_WORDS_H

#include "base/text.h"

#include <stdint.h>

/* 0: `show` is no list of names that we know, nothing was written. */
int weir_words_show(struct weir_text *out, const char *show, uint64_t number);

#endif
