/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes rows of named fields: CSV with a heading, or JSON lines. */
#ifndef WEIR_OUTPUT_FIELDS_H
#define WEIR_OUTPUT_FIELDS_H

#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

enum weir_fields_form { WEIR_FIELDS_CSV, WEIR_FIELDS_JSONL };

/*
 * Who writes a row calls the functions in the same order each time. Once more
 * before the first row, while `heading` is set: names are written then, and
 * values are not looked at.
 */
struct weir_fields {
	struct weir_text *out; /* borrowed */
	enum weir_fields_form form;
	int heading;
	unsigned int count; /* in this row, so far */
};

void weir_fields_number(struct weir_fields *fields, const char *name,
			uint64_t number);
void weir_fields_signed(struct weir_fields *fields, const char *name,
			int64_t number);
/* Nanoseconds as seconds. */
void weir_fields_seconds(struct weir_fields *fields, const char *name,
			 uint64_t ns);
void weir_fields_decimal(struct weir_fields *fields, const char *name,
			 double number, int decimals);
/* `part` of `whole` in percent. */
void weir_fields_percent(struct weir_fields *fields, const char *name,
			 uint64_t part, uint64_t whole);
/* Any bytes, in safe form; NULL as weir_fields_none(). */
void weir_fields_text(struct weir_fields *fields, const char *name,
		      const void *bytes, size_t len);
/* What is not known: nothing in CSV, null in JSON. */
void weir_fields_none(struct weir_fields *fields, const char *name);

void weir_fields_end(struct weir_fields *fields);

#endif
