/* SPDX-License-Identifier: BSD-3-Clause */
/* Understands the values of parameters, and spells them as they are wanted. */
#include "plan/value.h"

#include "base/number.h"
#include "plan/parameter.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SPELT 2048 /* larger than any text of a plan */
#define DIGITS "0123456789"
#define HOST_LETTERS \
	DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_"

struct value {
	struct weir_plan_item *item;
	const struct weir_param_part *part;
	const char *text;	/* of this part, without blanks around it */
	char *spelt;		/* of all parts */
	char *why;
};

#define REFUSE(value, ...) \
	(snprintf((value)->why, WEIR_VALUE_WHY, __VA_ARGS__), -EINVAL)

/*
 * Whatever the user wrote (1M, YES), who gets the value finds one spelling: two
 * settings are the same when these are.
 */
static void spell_value(struct value *v, const char *word)
{
	size_t used = strlen(v->spelt);

	snprintf(v->spelt + used, SPELT - used, "%s%s", used ? "," : "", word);
}

static void spell_number(struct value *v, int64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, number);
	spell_value(v, digits);
}

static int add_number(struct value *v, int64_t number)
{
	const struct weir_param_row *row = v->item->param;

	if (number < v->part->low || number > v->part->high)
		return REFUSE(v, "%.40s is out of range; it goes from %" PRId64
			      " to %" PRId64, v->text, v->part->low,
			      v->part->high);
	if (number % row->multiple)
		return REFUSE(v, "%.40s is no multiple of %" PRId64
			      "; take one", v->text, row->multiple);
	v->item->number[v->item->count++] = number;
	spell_number(v, number);
	return 0;
}

/*
 * A size that no number can hold is out of range like others: the largest
 * number is taken for it, and the range of the parameter says what may be.
 */
static int take_size(struct value *v)
{
	uint64_t bytes;
	int err = weir_number_parse_size(v->text, &bytes);

	if (err == -EINVAL)
		return REFUSE(v, "`%.40s' is no size; write bytes, or with K, "
			      "M, G or T", v->text);
	return add_number(v, err || bytes > INT64_MAX ? INT64_MAX
						      : (int64_t)bytes);
}

static int take_whole(struct value *v)
{
	bool below = *v->text == '-';
	uint64_t number;
	int err = weir_number_parse(v->text + below, &number);

	if (err == -EINVAL)
		return REFUSE(v, "`%.40s' is no whole number; write digits",
			      v->text);
	if (err || number > INT64_MAX)
		number = INT64_MAX;
	return add_number(v, below ? -(int64_t)number : (int64_t)number);
}

/* strtod() would take "inf", "nan", signs and blanks. */
static int take_real(struct value *v)
{
	char *end;
	double real;

	errno = 0;
	real = strtod(v->text, &end);
	if (!isdigit((unsigned char)*v->text) || *end || errno)
		return REFUSE(v, "`%.40s' is no number; write one like 0.75",
			      v->text);
	if (!(real >= (double)v->part->low && real <= (double)v->part->high))
		return REFUSE(v, "%.40s is out of range; it goes from %" PRId64
			      " to %" PRId64, v->text, v->part->low,
			      v->part->high);
	v->item->real = real;
	spell_value(v, v->text);
	return 0;
}

static int take_bool(struct value *v)
{
	static const char *const words[][2] = {
		{ "false", "true" }, { "no", "yes" }, { "off", "on" },
		{ "0", "1" }, { "disable", "enable" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		for (int yes = 0; yes < 2; yes++) {
			if (strcasecmp(words[i][yes], v->text))
				continue;
			v->item->number[v->item->count++] = yes;
			spell_value(v, yes ? v->item->param->yes
					   : v->item->param->no);
			return 0;
		}
	return REFUSE(v, "`%.40s' is neither true nor false; write one of "
		      "them", v->text);
}

/* Lists the choices: there are few, and nobody knows them by heart. */
static int refuse_choice(struct value *v)
{
	const char *why = weir_parameter_excluded(v->item->param->name,
						  v->text);
	int used;

	if (why)
		return REFUSE(v, "%.40s is excluded: %s; take another value",
			      v->text, why);
	used = snprintf(v->why, WEIR_VALUE_WHY,
			"`%.40s' is no value of it; take ", v->text);
	for (const char *const *choice = v->part->choices;
	     *choice && used < WEIR_VALUE_WHY; choice++)
		used += snprintf(v->why + used,
				 WEIR_VALUE_WHY - (size_t)used, "%s%s",
				 choice == v->part->choices ? "" :
				 choice[1] ? ", " : " or ", *choice);
	return -EINVAL;
}

static int take_choice(struct value *v)
{
	for (int i = 0; v->part->choices[i]; i++) {
		if (strcasecmp(v->part->choices[i], v->text))
			continue;
		v->item->number[v->item->count++] = i;
		spell_value(v, v->part->choices[i]);
		return 0;
	}
	return refuse_choice(v);
}

/* HOST, HOST:COUNT or HOST:*; how long, and if it gives every host one. */
static size_t measure_host(const char *text, bool *ret_is_for_all)
{
	size_t name = *text == '*' ? 1 : strspn(text, HOST_LETTERS);
	size_t count = text[name] == ':' ? strspn(text + name + 1, DIGITS) : 0;
	bool has_count = text[name] == ':';
	bool is_star = has_count && !count && text[name + 1] == '*';

	if (!name || (has_count && !count && !is_star) || count > 9)
		return 0;
	*ret_is_for_all = *text == '*' &&
			  (!count || strspn(text + name + 1, "0") < count);
	return name + has_count + count + is_star;
}

/* ROMIO ends programs none of whose hosts is in the list. */
static int take_hosts(struct value *v)
{
	bool has_all = false, is_for_all = false;
	const char *at = v->text;
	size_t length;

	for (; (length = measure_host(at, &is_for_all)); at++) {
		has_all |= is_for_all;
		at += length;
		if (*at != ',')
			break;
	}
	if (!length || *at)
		return REFUSE(v, "`%.40s' is no list of hosts; write *:1, *:* "
			      "or HOST:COUNT,...,*:COUNT", v->text);
	if (!has_all)
		return REFUSE(v, "%.40s has no aggregator where none of the "
			      "hosts takes part; add *:1", v->text);
	spell_value(v, v->text);
	return 0;
}

static int take_directory(struct value *v)
{
	if (*v->text != '/')
		return REFUSE(v, "`%.40s' begins nowhere; write the directory "
			      "from the root", v->text);
	spell_value(v, v->text);
	return 0;
}

static int (*const takers[])(struct value *) = {
	[WEIR_PARAM_IS_SIZE] = take_size,
	[WEIR_PARAM_IS_NUMBER] = take_whole,
	[WEIR_PARAM_IS_BOOL] = take_bool,
	[WEIR_PARAM_IS_REAL] = take_real,
	[WEIR_PARAM_IS_HOSTS] = take_hosts,
	[WEIR_PARAM_IS_DIRECTORY] = take_directory,
	[WEIR_PARAM_IS_CHOICE] = take_choice,
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Cuts the next part off; moves *text behind it, to NULL after the last. */
static char *cut(char **text, bool is_list)
{
	char *begin = *text;
	char *comma = is_list ? strchr(begin, ',') : NULL;
	char *end = comma ? comma : begin + strlen(begin);

	*text = comma ? comma + 1 : NULL;
	while (is_blank(*begin))
		begin++;
	while (end > begin && is_blank(end[-1]))
		end--;
	*end = '\0';
	return begin;
}

static int refuse_count(struct value *v, unsigned count)
{
	const struct weir_param_row *row = v->item->param;

	if (row->least == row->most)
		return REFUSE(v, "%u value%s instead of %u; it takes %s",
			      count, count == 1 ? "" : "s", row->least,
			      row->type);
	return REFUSE(v, "%u value%s instead of %u to %u; it takes %s", count,
		      count == 1 ? "" : "s", row->least, row->most, row->type);
}

/*
 * Counted before they are taken: then the message is about their number, and
 * not about the first that does not fit.
 */
static unsigned count_parts(const char *text, bool is_list)
{
	unsigned count = 1;

	for (; is_list && *text; text++)
		count += *text == ',';
	return count;
}

static int take_parts(struct value *v, char *text)
{
	const struct weir_param_row *row = v->item->param;
	bool is_list = row->most > 1;
	unsigned count = count_parts(text, is_list);
	int err = 0;

	if (text[strspn(text, " \t\r\n")] == '\0')
		return REFUSE(v, "it has no value; write it between the tags");
	if (count < row->least || count > row->most)
		return refuse_count(v, count);
	for (unsigned i = 0; text && !err; i++) {
		v->part = &row->parts[i < row->part_count ? i
						: row->part_count - 1];
		v->text = cut(&text, is_list);
		err = *v->text ? takers[v->part->type](v)
			       : REFUSE(v, "value %u is missing; it takes %s",
					i + 1, row->type);
	}
	return err;
}

int weir_value_understand(struct weir_plan_item *item, const char *text,
			  char why[WEIR_VALUE_WHY])
{
	char spelt[SPELT] = "";
	struct value v = { .item = item, .spelt = spelt, .why = why };
	char *copy = strdup(text);
	int err;

	if (!copy)
		return -ENOMEM;
	err = take_parts(&v, copy);
	free(copy);
	if (err)
		return err;
	item->value = strdup(spelt);
	return item->value ? 0 : -ENOMEM;
}
