/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes numbers, sizes and times as people write them. */
#include "base/number.h"

#include <errno.h>
#include <stdbool.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Moves *text past a run of digits. */
static int take_digits(const char **text, uint64_t *ret_value)
{
	const char *at = *text;
	uint64_t value = 0;

	if (!is_digit(*at))
		return -EINVAL;
	for (; is_digit(*at); at++) {
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, *at - '0', &value))
			return -ERANGE;
	}
	*text = at;
	*ret_value = value;
	return 0;
}

int weir_number_parse(const char *text, uint64_t *ret_value)
{
	uint64_t value;
	int err = take_digits(&text, &value);

	if (err)
		return err;
	if (*text)
		return -EINVAL;
	*ret_value = value;
	return 0;
}

static int size_shift(char unit)
{
	switch (unit) {
	case '\0':
		return 0;
	case 'k':
	case 'K':
		return 10;
	case 'm':
	case 'M':
		return 20;
	case 'g':
	case 'G':
		return 30;
	case 't':
	case 'T':
		return 40;
	default:
		return -EINVAL;
	}
}

int weir_number_parse_size(const char *text, uint64_t *ret_bytes)
{
	uint64_t value;
	int err = take_digits(&text, &value);
	int shift;

	if (err)
		return err;
	shift = size_shift(*text);
	if (shift < 0 || (*text && text[1]))
		return -EINVAL;
	if (value > UINT64_MAX >> shift)
		return -ERANGE;
	*ret_bytes = value << shift;
	return 0;
}

/* Moves *text past s, ms, us or ns; seconds when none is there. */
static uint64_t take_time_unit(const char **text)
{
	const char *at = *text;
	uint64_t ns = 1000000000;

	if (at[0] == 's') {
		*text = at + 1;
		return ns;
	}
	if (at[0] && at[1] == 's') {
		ns = at[0] == 'm' ? 1000000 :
		     at[0] == 'u' ? 1000 :
		     at[0] == 'n' ? 1 : 0;
		if (ns) {
			*text = at + 2;
			return ns;
		}
	}
	return 1000000000;
}

/* Digits after a point, as billionths of the unit. */
static int take_fraction(const char **text, uint64_t *ret_billionths)
{
	uint64_t weight = 100000000;
	uint64_t sum = 0;
	const char *at = *text;

	*ret_billionths = 0;
	if (*at != '.')
		return 0;
	for (at++; is_digit(*at); at++, weight /= 10) {
		if (!weight)
			return -EINVAL;
		sum += weight * (uint64_t)(*at - '0');
	}
	if (at == *text + 1)
		return -EINVAL;
	*text = at;
	*ret_billionths = sum;
	return 0;
}

static int take_time(const char **text, uint64_t *ret_ns)
{
	uint64_t whole, billionths, unit, ns;
	int err = take_digits(text, &whole);

	if (!err)
		err = take_fraction(text, &billionths);
	if (err)
		return err;
	unit = take_time_unit(text);
	if (__builtin_mul_overflow(whole, unit, &ns) ||
	    __builtin_add_overflow(ns, billionths * unit / 1000000000, &ns))
		return -ERANGE;
	*ret_ns = ns;
	return 0;
}

int weir_number_parse_time(const char *text, uint64_t *ret_ns)
{
	uint64_t ns;
	int err = take_time(&text, &ns);

	if (err)
		return err;
	if (*text)
		return -EINVAL;
	*ret_ns = ns;
	return 0;
}

int weir_number_parse_span(const char *text, uint64_t *ret_from,
			   uint64_t *ret_to)
{
	uint64_t from = 0;
	uint64_t to = UINT64_MAX;
	int err = 0;

	if (*text != '-')
		err = take_time(&text, &from);
	if (err)
		return err;
	if (*text++ != '-')
		return -EINVAL;
	if (*text)
		err = take_time(&text, &to);
	if (err)
		return err;
	if (*text || from > to)
		return -EINVAL;
	*ret_from = from;
	*ret_to = to;
	return 0;
}
