/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows arguments and results as the dictionary asks. */
#ifndef WEIR_WORDS_VALUES_H
#define WEIR_WORDS_VALUES_H

#include "base/text.h"
#include "trace/event/detail.h"

#include <stdint.h>

/* For reading: O_RDWR|O_CREAT, 0644, "name", SEEK_SET, {…}. */
void weir_values_show(struct weir_text *out, struct weir_value *value);

/* A plain number shown by one of the dictionary's words. */
void weir_values_show_number(struct weir_text *out, const char *show,
			     uint64_t number, int is_signed);

/* For programs: JSON, with numbers as numbers. */
void weir_values_json(struct weir_text *out, struct weir_value *value);

#endif
