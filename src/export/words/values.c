/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows arguments and results as the dictionary asks. */
#include "export/words/values.h"

#include "export/words/words.h"
#include "trace/layout/trace_layout.h"

#include <string.h>

static void put_plain_number(struct weir_text *out, uint64_t number,
			     int is_signed)
{
	if (is_signed)
		weir_text_signed(out, (int64_t)number);
	else
		weir_text_unsigned(out, number);
}

void weir_values_show_number(struct weir_text *out, const char *show,
			     uint64_t number, int is_signed)
{
	if (weir_words_show(out, show, number))
		return;
	if (!strcmp(show, "octal"))
		weir_text_octal(out, number);
	else if (!strcmp(show, "hex"))
		weir_text_hex(out, number);
	else
		put_plain_number(out, number, is_signed);
}

static void show_vector(struct weir_text *out, struct weir_value *value)
{
	uint64_t base, len, shown = 0;

	weir_text_char(out, '[');
	while (weir_detail_next_pair(value, &base, &len)) {
		if (shown++)
			weir_text_string(out, ", ");
		weir_text_hex(out, base);
		weir_text_char(out, '+');
		weir_text_unsigned(out, len);
	}
	if (shown < value->vector_given)
		weir_text_string(out, shown ? ", ..." : "...");
	weir_text_char(out, ']');
}

/* What people look for; the rest is in the other formats. */
static void show_stat(struct weir_text *out, const struct weir_value *value)
{
	enum { MODE = 2, SIZE = 7 };

	weir_text_string(out, "{mode=");
	weir_text_octal(out, value->stat[MODE]);
	weir_text_string(out, ", size=");
	weir_text_unsigned(out, value->stat[SIZE]);
	weir_text_char(out, '}');
}

static void show_number_as(struct weir_text *out,
			   const struct weir_field *field)
{
	char show[32] = "";

	if (field->show_len < sizeof(show))
		memcpy(show, field->show, field->show_len);
	weir_values_show_number(out, show, (uint64_t)field->number, 1);
}

static void show_field(struct weir_text *out, const struct weir_field *field)
{
	weir_text_bytes(out, field->name, field->name_len);
	weir_text_char(out, '=');
	if (field->is_text)
		weir_text_quoted(out, field->text, field->text_len);
	else
		show_number_as(out, field);
}

static void show_record(struct weir_text *out, struct weir_value *value)
{
	struct weir_field field;
	int some = 0;

	weir_text_char(out, '{');
	while (weir_detail_next_field(value, &field)) {
		if (some++)
			weir_text_string(out, ", ");
		show_field(out, &field);
	}
	weir_text_char(out, '}');
}

/* What is made of numbers needs no quotes. */
static void show_text(struct weir_text *out, const struct weir_value *value)
{
	if (strcmp(value->kind->show, "plain"))
		weir_text_quoted(out, value->text, value->text_len);
	else
		weir_text_safe(out, value->text, value->text_len);
}

void weir_values_show(struct weir_text *out, struct weir_value *value)
{
	switch (value->kind->wire) {
	case WEIR_WIRE_STRING:
		show_text(out, value);
		break;
	case WEIR_WIRE_PATH:
		weir_text_quoted(out, value->text, value->text_len);
		break;
	case WEIR_WIRE_VECTOR:
		show_vector(out, value);
		break;
	case WEIR_WIRE_STAT:
		show_stat(out, value);
		break;
	case WEIR_WIRE_RECORD:
		show_record(out, value);
		break;
	case WEIR_WIRE_PAIR:
		weir_text_char(out, '[');
		weir_text_signed(out, (int64_t)value->pair[0]);
		weir_text_string(out, ", ");
		weir_text_signed(out, (int64_t)value->pair[1]);
		weir_text_char(out, ']');
		break;
	default:
		weir_values_show_number(out, value->kind->show, value->number,
					value->is_signed);
	}
}

static void json_vector(struct weir_text *out, struct weir_value *value)
{
	uint64_t base, len;
	int some = 0;

	weir_text_char(out, '[');
	while (weir_detail_next_pair(value, &base, &len)) {
		weir_text_string(out, some++ ? ",[" : "[");
		weir_text_unsigned(out, base);
		weir_text_char(out, ',');
		weir_text_unsigned(out, len);
		weir_text_char(out, ']');
	}
	weir_text_char(out, ']');
}

static void json_stat(struct weir_text *out, const struct weir_value *value)
{
	for (int i = 0; i < WEIR_DETAIL_STAT_FIELDS; i++) {
		weir_text_string(out, i ? ",\"" : "{\"");
		weir_text_string(out, weir_detail_stat_names[i]);
		weir_text_string(out, "\":");
		put_plain_number(out, value->stat[i],
				 weir_detail_stat_is_time(i));
	}
	weir_text_char(out, '}');
}

static void json_record(struct weir_text *out, struct weir_value *value)
{
	struct weir_field field;
	int some = 0;

	weir_text_char(out, '{');
	while (weir_detail_next_field(value, &field)) {
		weir_text_string(out, some++ ? ",\"" : "\"");
		weir_text_bytes(out, field.name, field.name_len);
		weir_text_string(out, "\":");
		if (field.is_text)
			weir_text_json(out, field.text, field.text_len);
		else
			weir_text_signed(out, field.number);
	}
	weir_text_char(out, '}');
}

void weir_values_json(struct weir_text *out, struct weir_value *value)
{
	switch (value->kind->wire) {
	case WEIR_WIRE_STRING:
	case WEIR_WIRE_PATH:
		weir_text_json(out, value->text, value->text_len);
		break;
	case WEIR_WIRE_VECTOR:
		json_vector(out, value);
		break;
	case WEIR_WIRE_STAT:
		json_stat(out, value);
		break;
	case WEIR_WIRE_RECORD:
		json_record(out, value);
		break;
	case WEIR_WIRE_PAIR:
		weir_text_char(out, '[');
		weir_text_signed(out, (int64_t)value->pair[0]);
		weir_text_char(out, ',');
		weir_text_signed(out, (int64_t)value->pair[1]);
		weir_text_char(out, ']');
		break;
	default:
		put_plain_number(out, value->number, value->is_signed);
	}
}
