/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up the sums of an object, of events and of all processes. */
#include "verify/told.h"

#include "base/grow.h"
#include "trace/event/detail.h"
#include "trace/layout/digest_layout.h"

#include <stddef.h>
#include <string.h>

/* Arguments of the event, and what they add to. */
struct fresh {
	struct weir_told told;
	uint64_t doubts;
	struct weir_value extents;
};

static const struct {
	const char *name;
	size_t at;
} numbers[] = {
	{ "low", offsetof(struct fresh, told.sum.low) },
	{ "high", offsetof(struct fresh, told.sum.high) },
	{ "cover_low", offsetof(struct fresh, told.cover.low) },
	{ "cover_high", offsetof(struct fresh, told.cover.high) },
	{ "bytes", offsetof(struct fresh, told.bytes) },
	{ "writes", offsetof(struct fresh, told.writes) },
	{ "end", offsetof(struct fresh, told.end) },
	{ "doubts", offsetof(struct fresh, doubts) },
};

static void read_arguments(const struct weir_event *event,
			   const struct weir_call *call, struct fresh *fresh)
{
	struct weir_detail detail;
	struct weir_value value;

	weir_detail_start(&detail, event, call);
	while (weir_detail_next(&detail, &value)) {
		if (!strcmp(value.name, "extents"))
			fresh->extents = value;
		for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
			if (!strcmp(value.name, numbers[i].name))
				*(uint64_t *)((char *)fresh + numbers[i].at) =
					value.number;
	}
}

static struct weir_told *told_by(struct weir_output_object *object,
				 uint32_t proc)
{
	for (size_t i = object->count; i > 0; i--)
		if (object->told[i - 1].proc == proc)
			return &object->told[i - 1];
	if (WEIR_GROW(object->told, object->count, object->room))
		return NULL;
	object->told[object->count] = (struct weir_told){ .proc = proc };
	return &object->told[object->count++];
}

static void add_told(struct weir_told *to, const struct weir_told *more)
{
	weir_digest_sum(&to->sum, &more->sum);
	weir_digest_sum(&to->cover, &more->cover);
	to->bytes += more->bytes;
	to->writes += more->writes;
	to->end = more->end > to->end ? more->end : to->end;
	to->doubts |= more->doubts;
	to->was_empty |= more->was_empty;
}

int weir_told_read(const struct weir_event *event,
		   const struct weir_call *call,
		   struct weir_output_object *object, uint32_t *ret_doubts)
{
	struct weir_told *told = told_by(object, event->proc);
	struct fresh fresh = { .doubts = 0 };

	if (!told)
		return -ENOMEM;
	read_arguments(event, call, &fresh);
	*ret_doubts = (uint32_t)fresh.doubts;
	fresh.told.doubts =
		(uint32_t)fresh.doubts & ~(uint32_t)WEIR_DIGEST_UNTOLD;
	fresh.told.was_empty = !(fresh.doubts & WEIR_DIGEST_EXISTED);
	add_told(told, &fresh.told);
	if (!fresh.extents.given || !fresh.extents.text)
		return 0;
	return weir_spans_read(&told->spans,
			       (const char *)fresh.extents.text,
			       fresh.extents.text_len);
}

void weir_told_sum(const struct weir_output_object *object,
		   struct weir_told *ret_sum)
{
	*ret_sum = (struct weir_told){ .proc = 0 };
	for (size_t i = 0; i < object->count; i++)
		add_told(ret_sum, &object->told[i]);
}

/* Spans that are coarse would show what did not happen. */
static bool is_exact(const struct weir_told *told)
{
	return told->spans.is_whole && !(told->doubts & WEIR_DIGEST_COARSE);
}

bool weir_told_is_exact(const struct weir_output_object *object)
{
	for (size_t i = 0; i < object->count; i++)
		if (object->told[i].bytes && !is_exact(&object->told[i]))
			return false;
	return true;
}

static bool tells_the_same(const struct weir_told *one,
			   const struct weir_told *other)
{
	size_t count = one->spans.count;

	return one->bytes && is_exact(one) && is_exact(other) &&
	       count == other->spans.count &&
	       weir_digest_equal(&one->sum, &other->sum) &&
	       !memcmp(one->spans.list, other->spans.list,
		       count * sizeof(*one->spans.list));
}

void weir_told_merge(struct weir_output_object *object)
{
	size_t kept = 0;

	for (size_t i = 0; i < object->count; i++) {
		size_t j = 0;

		while (j < kept &&
		       !tells_the_same(&object->told[j], &object->told[i]))
			j++;
		if (j == kept) {
			object->told[kept++] = object->told[i];
			continue;
		}
		object->told[j].was_empty |= object->told[i].was_empty;
		object->told[j].doubts |= object->told[i].doubts;
		weir_spans_fini(&object->told[i].spans);
	}
	object->count = kept;
}

/* Spans hold all that was written, and when they are coarse more. */
static bool may_meet(const struct weir_told *one, const struct weir_told *other)
{
	if (!one->spans.is_whole || !other->spans.is_whole)
		return one->bytes && other->bytes;
	return weir_spans_meet(&one->spans, &other->spans);
}

enum weir_told_overlap
weir_told_overlap(const struct weir_output_object *object)
{
	enum weir_told_overlap found = WEIR_TOLD_APART;

	for (size_t i = 0; i < object->count; i++)
		for (size_t j = i + 1; j < object->count; j++) {
			if (!may_meet(&object->told[i], &object->told[j]))
				continue;
			if (is_exact(&object->told[i]) &&
			    is_exact(&object->told[j]))
				return WEIR_TOLD_OVERLAPS;
			found = WEIR_TOLD_UNCLEAR;
		}
	return found;
}
