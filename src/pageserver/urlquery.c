/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the query of a URL: KEY=VALUE&... */
#include "pageserver/urlquery.h"

#include <errno.h>
#include <string.h>

#define MOST_KEYS (sizeof(((struct weir_urlquery *)0)->values) / sizeof(char *))
#define MOST_RANGES                                                            \
	(sizeof(((struct weir_urlquery_numbers *)0)->ranges) /                 \
	 sizeof(((struct weir_urlquery_numbers *)0)->ranges[0]))

static int hex(char c)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;
	int value = at ? (int)(at - digits) : -1;

	return value > 15 ? value - 6 : value;
}

/* -EINVAL: %XX that is none, or stands for a zero byte. */
static int decode(char *text)
{
	char *to = text;

	for (; *text; text++) {
		int high, low;

		if (*text == '+') {
			*to++ = ' ';
			continue;
		}
		if (*text != '%') {
			*to++ = *text;
			continue;
		}
		high = hex(text[1]);
		low = high < 0 ? -1 : hex(text[2]);
		if (low < 0 || !(high | low))
			return -EINVAL;
		*to++ = (char)(high << 4 | low);
		text += 2;
	}
	*to = '\0';
	return 0;
}

static int find_key(const struct weir_urlquery *query, const char *key)
{
	for (int i = 0; query->keys[i] && i < (int)MOST_KEYS; i++)
		if (!strcmp(query->keys[i], key))
			return i;
	return -1;
}

static const char *take_pair(struct weir_urlquery *query, char *pair)
{
	char *value = strchr(pair, '=');
	int key;

	if (value)
		*value++ = '\0';
	key = find_key(query, pair);
	if (key < 0)
		return "there is an unknown key";
	if (query->values[key])
		return "a key is given twice";
	if (!value || !*value)
		return NULL;
	if (decode(value))
		return "a % is not followed by two hexadecimal digits, or is "
		       "%00";
	query->values[key] = value;
	return NULL;
}

int weir_urlquery_parse(struct weir_urlquery *query, char *text,
			const char *const *keys, const char **ret_wrong)
{
	char *pair, *rest = text;

	*query = (struct weir_urlquery){ .keys = keys };
	while ((pair = strsep(&rest, "&"))) {
		const char *wrong = *pair ? take_pair(query, pair) : NULL;

		if (!wrong)
			continue;
		*ret_wrong = wrong;
		return -EINVAL;
	}
	return 0;
}

static int take_digits(const char **at, uint64_t *ret_number)
{
	uint64_t number = 0;
	const char *digit = *at;

	for (; *digit >= '0' && *digit <= '9'; digit++) {
		uint64_t value = (uint64_t)(*digit - '0');

		if (number > (UINT64_MAX - value) / 10)
			return -EINVAL;
		number = 10 * number + value;
	}
	if (digit == *at)
		return -EINVAL;
	*at = digit;
	*ret_number = number;
	return 0;
}

int weir_urlquery_numbers(const char *text,
			  struct weir_urlquery_numbers *ret_all)
{
	size_t count = 0;

	do {
		uint64_t first, last;

		if (count == MOST_RANGES || take_digits(&text, &first))
			return -EINVAL;
		last = first;
		if (*text == '-' && (text++, take_digits(&text, &last)))
			return -EINVAL;
		if (last < first)
			return -EINVAL;
		ret_all->ranges[count].first = first;
		ret_all->ranges[count++].last = last;
	} while (*text == ',' && text++);
	ret_all->count = count;
	return *text ? -EINVAL : 0;
}

int weir_urlquery_has(const struct weir_urlquery_numbers *all, uint64_t number)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->ranges[i].first <= number &&
		    number <= all->ranges[i].last)
			return 1;
	return 0;
}

int weir_urlquery_names(const char *list, const char *word)
{
	size_t len = strlen(word);

	while (list) {
		if (!strncmp(list, word, len) &&
		    (list[len] == ',' || !list[len]))
			return 1;
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	return 0;
}
