/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a comparison of two runs as one JSON object. */
#ifndef WEIR_COMPARE_COMPARE_JSON_H
#define WEIR_COMPARE_COMPARE_JSON_H

#include "analyse/compare/comparison.h"
#include "base/text.h"

void weir_compare_json_write(struct weir_text *out,
			     const struct weir_compare *compare);

#endif
