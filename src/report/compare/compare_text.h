/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a comparison of two runs for people. */
#ifndef WEIR_COMPARE_COMPARE_TEXT_H
#define WEIR_COMPARE_COMPARE_TEXT_H

#include "analyse/compare/comparison.h"
#include "base/text.h"

/* At most `top` files, processes and findings. */
void weir_compare_text_write(struct weir_text *out,
			     const struct weir_compare *compare, uint64_t top);

#endif
