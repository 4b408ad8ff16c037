/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes rows of named fields: CSV with a heading, or JSON lines. */
#include "report/output/fields.h"

#include <string.h>

/* Whether a value has to follow. JSON has no heading. */
static int begin_field(struct weir_fields *fields, const char *name)
{
	struct weir_text *out = fields->out;
	unsigned int number = fields->count++;

	if (fields->form == WEIR_FIELDS_JSONL) {
		if (fields->heading)
			return 0;
		weir_text_char(out, number ? ',' : '{');
		weir_text_json(out, name, strlen(name));
		weir_text_char(out, ':');
		return 1;
	}
	if (number)
		weir_text_char(out, ',');
	if (fields->heading)
		weir_text_string(out, name);
	return !fields->heading;
}

void weir_fields_number(struct weir_fields *fields, const char *name,
			uint64_t number)
{
	if (begin_field(fields, name))
		weir_text_unsigned(fields->out, number);
}

void weir_fields_signed(struct weir_fields *fields, const char *name,
			int64_t number)
{
	if (begin_field(fields, name))
		weir_text_signed(fields->out, number);
}

void weir_fields_seconds(struct weir_fields *fields, const char *name,
			 uint64_t ns)
{
	if (begin_field(fields, name))
		weir_text_seconds(fields->out, ns, 0);
}

void weir_fields_decimal(struct weir_fields *fields, const char *name,
			 double number, int decimals)
{
	if (begin_field(fields, name))
		weir_text_format(fields->out, "%.*f", decimals, number);
}

void weir_fields_percent(struct weir_fields *fields, const char *name,
			 uint64_t part, uint64_t whole)
{
	weir_fields_decimal(fields, name,
			    whole ? 100.0 * (double)part / (double)whole : 0.0,
			    4);
}

void weir_fields_text(struct weir_fields *fields, const char *name,
		      const void *bytes, size_t len)
{
	if (!bytes) {
		weir_fields_none(fields, name);
		return;
	}
	if (!begin_field(fields, name))
		return;
	if (fields->form == WEIR_FIELDS_JSONL)
		weir_text_json(fields->out, bytes, len);
	else
		weir_text_csv(fields->out, bytes, len);
}

void weir_fields_none(struct weir_fields *fields, const char *name)
{
	if (begin_field(fields, name) && fields->form == WEIR_FIELDS_JSONL)
		weir_text_string(fields->out, "null");
}

void weir_fields_end(struct weir_fields *fields)
{
	if (fields->form == WEIR_FIELDS_JSONL && !fields->heading)
		weir_text_char(fields->out, '}');
	if (fields->form == WEIR_FIELDS_CSV || !fields->heading)
		weir_text_char(fields->out, '\n');
	fields->count = 0;
}
