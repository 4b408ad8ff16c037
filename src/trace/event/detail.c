/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks the arguments of an event by the kinds of its call. */
#include "trace/event/detail.h"

#include "base/varint.h"
#include "trace/layout/trace_layout.h"

#include <string.h>

const char *const weir_detail_stat_names[WEIR_DETAIL_STAT_FIELDS] = {
	"dev",  "ino",   "mode",  "nlink", "uid",     "gid",    "rdev",
	"size", "atime", "mtime", "ctime", "blksize", "blocks",
};

void weir_detail_start(struct weir_detail *detail,
		       const struct weir_event *event,
		       const struct weir_call *call)
{
	*detail = (struct weir_detail){
		.event = event,
		.call = call,
		.at = event->detail,
		.left = event->detail_len - weir_detail_site_bytes(event),
	};
}

uint32_t weir_detail_site_bytes(const struct weir_event *event)
{
	uint32_t bytes;

	if (!(event->flags & WEIR_EVENT_SITE) || !event->detail_len)
		return 0;
	bytes = event->detail[event->detail_len - 1] + UINT32_C(1);
	return bytes <= event->detail_len ? bytes : 0;
}

static int take_detail_number(struct weir_detail *detail, uint64_t *ret_number)
{
	size_t n = detail->cut ? 0 : weir_varint_get(detail->at, detail->left,
						     ret_number);

	if (!n) {
		detail->cut = 1;
		return 0;
	}
	detail->at += n;
	detail->left -= n;
	return 1;
}

/* A string that is cut gives what is there of it. */
static int take_detail_text(struct weir_detail *detail,
			    struct weir_value *value)
{
	uint64_t len;

	if (!take_detail_number(detail, &len))
		return 0;
	if (len > detail->left) {
		len = detail->left;
		detail->cut = 1;
	}
	value->text = detail->at;
	value->text_len = len;
	detail->at += len;
	detail->left -= len;
	return 1;
}

static int take_vector(struct weir_detail *detail, struct weir_value *value)
{
	uint64_t number;

	if (!take_detail_number(detail, &value->vector_given) ||
	    !take_detail_number(detail, &value->vector_shown))
		return 0;
	value->pairs = detail->at;
	for (uint64_t i = 0; i < value->vector_shown; i++) {
		if (!take_detail_number(detail, &number) ||
		    !take_detail_number(detail, &number)) {
			value->vector_shown = i;
			break;
		}
		value->pairs_len = (size_t)(detail->at - value->pairs);
	}
	return 1;
}

static int take_stat(struct weir_detail *detail, struct weir_value *value)
{
	uint64_t filled;

	if (!take_detail_number(detail, &filled) || !filled)
		return 0;
	for (int i = 0; i < WEIR_DETAIL_STAT_FIELDS; i++) {
		if (!take_detail_number(detail, &value->stat[i]))
			return 0;
		if (weir_detail_stat_is_time(i))
			value->stat[i] = (uint64_t)weir_varint_unzigzag(
				value->stat[i]);
	}
	return 1;
}

static int take_signed(struct weir_detail *detail, uint64_t *to)
{
	uint64_t number;

	if (!take_detail_number(detail, &number))
		return 0;
	*to = (uint64_t)weir_varint_unzigzag(number);
	return 1;
}

static int take_pair(struct weir_detail *detail, struct weir_value *value)
{
	uint64_t filled;

	return take_detail_number(detail, &filled) && filled &&
	       take_signed(detail, &value->pair[0]) &&
	       take_signed(detail, &value->pair[1]);
}

/* Which fields there are tells the kind: NAME/NAME:SHOW/$TEXT. */
static int next_name(const char **names, struct weir_field *field)
{
	const char *at = *names;

	if (!*at)
		return 0;
	field->is_text = *at == '$';
	field->name = at + field->is_text;
	field->name_len = strcspn(field->name, ":/");
	at = field->name + field->name_len;
	field->show = *at == ':' ? at + 1 : at;
	field->show_len = strcspn(field->show, "/");
	at = field->show + field->show_len;
	*names = *at ? at + 1 : at;
	return 1;
}

static int take_field(struct weir_detail *detail, struct weir_field *field)
{
	struct weir_value text;
	uint64_t number = 0;

	if (!field->is_text) {
		if (!take_detail_number(detail, &number))
			return 0;
		field->number = weir_varint_unzigzag(number);
		return 1;
	}
	if (!take_detail_text(detail, &text))
		return 0;
	field->text = text.text;
	field->text_len = text.text_len;
	return 1;
}

static int take_record(struct weir_detail *detail, struct weir_value *value)
{
	const char *names = value->kind->show;
	struct weir_field field;
	uint64_t filled;

	if (!take_detail_number(detail, &filled) || !filled)
		return 0;
	value->field_names = names;
	value->fields = detail->at;
	while (next_name(&names, &field) && take_field(detail, &field))
		value->fields_len = (size_t)(detail->at - value->fields);
	return 1;
}

static int take_value(struct weir_detail *detail, struct weir_value *value)
{
	uint64_t number;

	switch (value->kind->wire) {
	case WEIR_WIRE_UNSIGNED:
		return take_detail_number(detail, &value->number);
	case WEIR_WIRE_SIGNED:
		value->is_signed = 1;
		return take_signed(detail, &value->number);
	case WEIR_WIRE_OPTIONAL:
		if (!detail->left && !detail->cut)
			return 0; /* at the end it may be left out */
		if (!take_detail_number(detail, &number) || !number)
			return 0;
		value->number = number - 1;
		return 1;
	case WEIR_WIRE_STRING:
		return take_detail_text(detail, value);
	case WEIR_WIRE_PATH:
		return take_detail_number(detail, &value->number) &&
		       take_detail_text(detail, value);
	case WEIR_WIRE_VECTOR:
		return take_vector(detail, value);
	case WEIR_WIRE_STAT:
		return take_stat(detail, value);
	case WEIR_WIRE_HANDLE:
		value->is_signed = 1;
		return take_signed(detail, &value->number) &&
		       take_detail_number(detail, &value->handle);
	case WEIR_WIRE_PAIR:
		return take_pair(detail, value);
	case WEIR_WIRE_RECORD:
		return take_record(detail, value);
	case WEIR_WIRE_NONE:
		return 0;
	}
	detail->cut = 1; /* a wire of a later version: its length is unknown */
	return 0;
}

static int place_value(struct weir_detail *detail, struct weir_value *value)
{
	const struct weir_event *event = detail->event;

	switch (value->kind->place) {
	case WEIR_PLACE_HANDLE:
		value->is_signed = 1;
		value->number = (uint64_t)(int64_t)event->fd;
		return 1;
	case WEIR_PLACE_SIZE:
		value->number = event->size;
		return 1;
	case WEIR_PLACE_OFF:
		value->is_signed = 1;
		value->number = (uint64_t)event->off;
		return !(event->flags & WEIR_EVENT_NOOFF);
	case WEIR_PLACE_DETAIL:
		return take_value(detail, value);
	case WEIR_PLACE_NONE:
		break;
	}
	return 0;
}

int weir_detail_next(struct weir_detail *detail, struct weir_value *ret_value)
{
	const struct weir_argument *argument;

	if (detail->next == detail->call->argument_count)
		return 0;
	argument = &detail->call->arguments[detail->next++];
	*ret_value = (struct weir_value){
		.name = argument->name,
		.kind = argument->kind,
	};
	ret_value->given = place_value(detail, ret_value);
	return 1;
}

int weir_detail_next_pair(struct weir_value *vector, uint64_t *ret_base,
			  uint64_t *ret_len)
{
	uint64_t *to[] = { ret_base, ret_len };

	for (int i = 0; i < 2; i++) {
		size_t n = weir_varint_get(vector->pairs, vector->pairs_len,
					   to[i]);

		if (!n)
			return 0;
		vector->pairs += n;
		vector->pairs_len -= n;
	}
	return 1;
}

int weir_detail_next_field(struct weir_value *record,
			   struct weir_field *ret_field)
{
	struct weir_detail rest = {
		.at = record->fields,
		.left = record->fields_len,
	};

	if (!next_name(&record->field_names, ret_field) ||
	    !take_field(&rest, ret_field))
		return 0;
	record->fields = rest.at;
	record->fields_len = rest.left;
	return 1;
}

int weir_detail_first_path(const struct weir_event *event,
			   const struct weir_call *call,
			   struct weir_value *ret_value)
{
	struct weir_detail detail;

	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, ret_value))
		if (ret_value->kind->wire == WEIR_WIRE_PATH &&
		    ret_value->kind->place == WEIR_PLACE_DETAIL)
			return ret_value->given;
	return 0;
}
