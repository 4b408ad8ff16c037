/* SPDX-License-Identifier: BSD-3-Clause */
/* Hides names in the texts of a trace, line by line. */
#ifndef WEIR_MASK_MASKTEXT_H
#define WEIR_MASK_MASKTEXT_H

#include "share/mask/mask.h"

/* Lines that were left out because nobody knows what they tell. */
struct weir_masktext_unknown {
	uint64_t lines;
	char first[24]; /* how the first begins, for people */
};

/* Whether blocks of a type are texts that can be written. */
int weir_masktext_knows(uint32_t type);

/*
 * Appends what stands for the text of a HEAD, DICT, PROC, END or NODE block.
 * Only lines that are known are passed on. 0 or -errno; -EINVAL for blocks of
 * another type.
 */
int weir_masktext_write(const struct weir_mask *mask, uint32_t type,
			const struct weir_bytes *text, struct weir_bytes *to,
			struct weir_masktext_unknown *unknown);

#endif
