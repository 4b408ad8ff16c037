/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands out the arguments of an event as a tree of typed values. */
#include "api/weirtrace_value.h"

#include "base/grow.h"
#include "trace/event/detail.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char nothing[] = "";

void weirtrace_value_fini(struct weirtrace_value_tree *tree)
{
	free(tree->values);
	weir_bytes_fini(&tree->texts);
}

/* So many values side by side; the index of the first. */
static int add_values(struct weirtrace_value_tree *tree, size_t count,
		      size_t *ret_first)
{
	if (WEIR_GROW_TO(tree->values, tree->count + count, tree->room))
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		tree->values[tree->count + i] = (struct weirtrace_value){
			.name = nothing,
			.show = "decimal",
			.text = nothing,
		};
	*ret_first = tree->count;
	tree->count += count;
	return 0;
}

static int add_members(struct weirtrace_value_tree *tree, size_t of,
		       size_t count, size_t *ret_first)
{
	int err = add_values(tree, count, ret_first);

	if (err)
		return err;
	tree->values[of].members = count;
	tree->values[of].ahead = *ret_first - of;
	return 0;
}

/*
 * Room for all texts is there from the beginning, so that they stay where
 * they are. A text takes no more than it took in the detail, where its length
 * stands before it, or in the word SHOW, where something stands behind it.
 */
static const char *add_text(struct weirtrace_value_tree *tree,
			    const void *from, size_t len)
{
	char *text = (char *)tree->texts.data + tree->texts.used;

	if (tree->texts.room - tree->texts.used <= len)
		return nothing;
	if (len)
		memcpy(text, from, len);
	text[len] = '\0';
	tree->texts.used += len + 1;
	return text;
}

static int reserve_texts(struct weirtrace_value_tree *tree,
			 const struct weir_event *event,
			 const struct weir_call *call)
{
	size_t room = (size_t)event->detail_len + 1;

	for (uint32_t i = 0; i < call->argument_count; i++)
		room += strlen(call->arguments[i].kind->show) + 2;
	tree->texts.used = 0;
	return weir_bytes_reserve(&tree->texts, room);
}

static void set_text(struct weirtrace_value_tree *tree, size_t at,
		     const void *text, size_t len)
{
	struct weirtrace_value *value = &tree->values[at];

	value->text = add_text(tree, text, len);
	value->text_len = value->text == nothing ? 0 : len;
	value->type = WEIRTRACE_TEXT;
}

static void set_number(struct weirtrace_value *value, uint64_t number,
		       int is_signed)
{
	value->type = is_signed ? WEIRTRACE_SIGNED : WEIRTRACE_UNSIGNED;
	value->number = number;
}

static int set_pair(struct weirtrace_value_tree *tree, size_t at,
		    const uint64_t pair[2])
{
	size_t first;
	int err = add_members(tree, at, 2, &first);

	if (err)
		return err;
	tree->values[at].type = WEIRTRACE_LIST;
	for (size_t i = 0; i < 2; i++) {
		set_number(&tree->values[first + i], pair[i], 1);
		tree->values[first + i].show = "fd";
	}
	return 0;
}

static int set_buffer(struct weirtrace_value_tree *tree, size_t at,
		      uint64_t base, uint64_t len)
{
	struct weirtrace_value *members;
	size_t first;
	int err = add_members(tree, at, 2, &first);

	if (err)
		return err;
	tree->values[at].type = WEIRTRACE_RECORD;
	members = &tree->values[first];
	set_number(&members[0], base, 0);
	members[0].name = "address";
	members[0].show = "hex";
	set_number(&members[1], len, 0);
	members[1].name = "length";
	members[1].show = "bytes";
	return 0;
}

static int set_vector(struct weirtrace_value_tree *tree, size_t at,
		      struct weir_value *vector)
{
	uint64_t base, len;
	size_t first;
	int err = add_members(tree, at, vector->vector_shown, &first);

	tree->values[at].type = WEIRTRACE_LIST;
	while (!err && weir_detail_next_pair(vector, &base, &len))
		err = set_buffer(tree, first++, base, len);
	return err;
}

static int set_stat(struct weirtrace_value_tree *tree, size_t at,
		    const struct weir_value *value)
{
	size_t first;
	int err = add_members(tree, at, WEIR_DETAIL_STAT_FIELDS, &first);

	if (err)
		return err;
	tree->values[at].type = WEIRTRACE_RECORD;
	for (int i = 0; i < WEIR_DETAIL_STAT_FIELDS; i++) {
		struct weirtrace_value *member = &tree->values[first + i];

		set_number(member, value->stat[i], weir_detail_stat_is_time(i));
		member->name = weir_detail_stat_names[i];
	}
	return 0;
}

static void set_field(struct weirtrace_value_tree *tree, size_t at,
		      const struct weir_field *field)
{
	struct weirtrace_value *value = &tree->values[at];

	value->name = add_text(tree, field->name, field->name_len);
	if (field->show_len)
		value->show = add_text(tree, field->show, field->show_len);
	if (field->is_text) {
		value->show = "quoted";
		set_text(tree, at, field->text, field->text_len);
	} else {
		set_number(value, (uint64_t)field->number, 1);
	}
}

/* Fields that were cut off are not there. */
static int set_record(struct weirtrace_value_tree *tree, size_t at,
		      struct weir_value *record)
{
	struct weir_value counted = *record;
	struct weir_field field;
	size_t count = 0, first;
	int err;

	while (weir_detail_next_field(&counted, &field))
		count++;
	err = add_members(tree, at, count, &first);
	if (err)
		return err;
	tree->values[at].type = WEIRTRACE_RECORD;
	while (weir_detail_next_field(record, &field))
		set_field(tree, first++, &field);
	return 0;
}

static int set_value(struct weirtrace_value_tree *tree, size_t at,
		     struct weir_value *from)
{
	switch (from->kind->wire) {
	case WEIR_WIRE_STRING:
	case WEIR_WIRE_PATH:
		set_text(tree, at, from->text, from->text_len);
		return 0;
	case WEIR_WIRE_VECTOR:
		return set_vector(tree, at, from);
	case WEIR_WIRE_STAT:
		return set_stat(tree, at, from);
	case WEIR_WIRE_RECORD:
		return set_record(tree, at, from);
	case WEIR_WIRE_PAIR:
		return set_pair(tree, at, from->pair);
	default:
		set_number(&tree->values[at], from->number, from->is_signed);
		return 0;
	}
}

int weirtrace_value_decode(struct weirtrace_value_tree *tree,
			   const struct weir_event *event,
			   const struct weir_call *call)
{
	struct weir_detail detail;
	struct weir_value value;
	size_t at;
	int err;

	tree->count = 0;
	err = reserve_texts(tree, event, call);
	if (!err)
		err = add_values(tree, call->argument_count, &at);
	weir_detail_start(&detail, event, call);
	for (at = 0; !err && weir_detail_next(&detail, &value); at++) {
		tree->values[at].name = value.name;
		tree->values[at].show = value.kind->show;
		if (value.given)
			err = set_value(tree, at, &value);
	}
	tree->arguments = err ? 0 : call->argument_count;
	return err;
}

const char *weirtrace_value_name(const struct weirtrace_value *value)
{
	return value->name;
}

enum weirtrace_type weirtrace_value_type(const struct weirtrace_value *value)
{
	return value->type;
}

const char *weirtrace_value_show(const struct weirtrace_value *value)
{
	return value->show;
}

uint64_t weirtrace_value_unsigned(const struct weirtrace_value *value)
{
	return value->number;
}

int64_t weirtrace_value_signed(const struct weirtrace_value *value)
{
	return (int64_t)value->number;
}

const char *weirtrace_value_text(const struct weirtrace_value *value,
				 size_t *ret_len)
{
	if (ret_len)
		*ret_len = value->text_len;
	return value->text;
}

size_t weirtrace_value_members(const struct weirtrace_value *value)
{
	return value->members;
}

const struct weirtrace_value *
weirtrace_value_member(const struct weirtrace_value *value, size_t n)
{
	return n < value->members ? value + value->ahead + n : NULL;
}
