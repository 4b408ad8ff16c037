/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes keys and values of JSON objects. */
#ifndef WEIR_OUTPUT_JSONOUT_H
#define WEIR_OUTPUT_JSONOUT_H

#include "base/text.h"

#include <stdint.h>
#include <string.h>

static inline void weir_jsonout_key(struct weir_text *out, const char *key,
				    int first)
{
	if (!first)
		weir_text_char(out, ',');
	weir_text_char(out, '"');
	weir_text_string(out, key);
	weir_text_string(out, "\":");
}

static inline void weir_jsonout_number(struct weir_text *out, const char *key,
				       uint64_t number)
{
	weir_jsonout_key(out, key, 0);
	weir_text_unsigned(out, number);
}

/* NULL: null. */
static inline void weir_jsonout_string(struct weir_text *out, const char *key,
				       const char *text)
{
	weir_jsonout_key(out, key, 0);
	if (text)
		weir_text_json(out, text, strlen(text));
	else
		weir_text_string(out, "null");
}

#endif
