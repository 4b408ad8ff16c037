/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps which bytes of an object were written, as a process has told it. */
#include "verify/spans.h"

#include "base/grow.h"

#include <string.h>

#define MOST (UINT64_C(1) << 20) /* spans of a process in an object */

/* FROM-TO*COUNT/STRIDE */
struct series {
	struct weir_span first;
	uint64_t count, stride;
};

void weir_spans_fini(struct weir_spans *spans)
{
	free(spans->list);
	*spans = (struct weir_spans){ 0 };
}

static bool take_span_number(const char **at, const char *limit,
			     uint64_t *ret_number)
{
	const char *from = *at;
	uint64_t number = 0;

	for (; *at < limit && **at >= '0' && **at <= '9'; (*at)++)
		if (__builtin_mul_overflow(number, UINT64_C(10), &number) ||
		    __builtin_add_overflow(number, (uint64_t)(**at - '0'),
					   &number))
			return false;
	*ret_number = number;
	return *at > from;
}

static bool take_sign(const char **at, const char *limit, char sign)
{
	if (*at == limit || **at != sign)
		return false;
	(*at)++;
	return true;
}

static bool take_series(const char **at, const char *limit,
			struct series *ret_series)
{
	struct series s = { .count = 1 };

	if (!take_span_number(at, limit, &s.first.from) ||
	    !take_sign(at, limit, '-') ||
	    !take_span_number(at, limit, &s.first.to) ||
	    s.first.to <= s.first.from)
		return false;
	if (take_sign(at, limit, '*') &&
	    (!take_span_number(at, limit, &s.count) ||
	     !take_sign(at, limit, '/') ||
	     !take_span_number(at, limit, &s.stride)))
		return false;
	*ret_series = s;
	return s.count && s.count <= MOST &&
	       (s.count == 1 || s.stride >= s.first.to - s.first.from);
}

static int add_series(struct weir_spans *spans, const struct series *series)
{
	struct weir_span span = series->first;

	for (uint64_t i = 0; i < series->count; i++) {
		if (spans->count == MOST)
			return -ERANGE;
		if (WEIR_GROW(spans->list, spans->count, spans->room))
			return -ENOMEM;
		spans->list[spans->count++] = span;
		if (__builtin_add_overflow(span.to, series->stride, &span.to))
			return -ERANGE;
		span.from += series->stride;
	}
	return 0;
}

static int by_begin(const void *one, const void *other)
{
	const struct weir_span *a = one, *b = other;

	return (a->from > b->from) - (a->from < b->from);
}

/* In order; what is told twice was still written once. */
static void tidy(struct weir_spans *spans)
{
	size_t kept = 0;

	if (!spans->count)
		return;
	qsort(spans->list, spans->count, sizeof(*spans->list), by_begin);
	for (size_t i = 1; i < spans->count; i++) {
		struct weir_span *last = &spans->list[kept];

		if (spans->list[i].from > last->to)
			spans->list[++kept] = spans->list[i];
		else if (spans->list[i].to > last->to)
			last->to = spans->list[i].to;
	}
	spans->count = kept + 1;
}

int weir_spans_read(struct weir_spans *spans, const char *text, size_t len)
{
	const char *at = text, *limit = text + len;
	struct series series;
	int err = 0;

	spans->count = 0;
	spans->is_whole = false;
	while (!err && at < limit && take_series(&at, limit, &series)) {
		err = add_series(spans, &series);
		spans->is_whole = !err && at == limit;
		if (!take_sign(&at, limit, ','))
			break;
	}
	tidy(spans);
	return err == -ENOMEM ? err : 0;
}

int weir_spans_unite(struct weir_spans *to, const struct weir_spans *more)
{
	for (size_t i = 0; i < more->count; i++) {
		if (WEIR_GROW(to->list, to->count, to->room))
			return -ENOMEM;
		to->list[to->count++] = more->list[i];
	}
	tidy(to);
	return 0;
}

bool weir_spans_meet(const struct weir_spans *a, const struct weir_spans *b)
{
	size_t i = 0, j = 0;

	while (i < a->count && j < b->count) {
		if (a->list[i].to <= b->list[j].from)
			i++;
		else if (b->list[j].to <= a->list[i].from)
			j++;
		else
			return true;
	}
	return false;
}
