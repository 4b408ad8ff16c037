/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds and parses text payloads: lines of key=value. */
#include "trace/facts/props.h"

#include "base/grow.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void weir_props_init(struct weir_props *props)
{
	*props = (struct weir_props){ 0 };
}

void weir_props_fini(struct weir_props *props)
{
	free(props->text);
	weir_props_init(props);
}

static int make_text_room(struct weir_props *props, size_t more)
{
	if (more > SIZE_MAX / 4)
		return -ENOMEM;
	return WEIR_GROW_TO(props->text, props->used + more, props->room);
}

static bool key_is_plain(const char *key)
{
	const unsigned char *c = (const unsigned char *)key;

	while (*c > ' ' && *c != '=' && *c != 0x7f)
		c++;
	return !*c && *key;
}

static char *put_escaped(char *to, const unsigned char *from, size_t len)
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < len; i++) {
		if (from[i] >= 0x20 && from[i] != 0x7f && from[i] != '%') {
			*to++ = (char)from[i];
			continue;
		}
		*to++ = '%';
		*to++ = digits[from[i] >> 4];
		*to++ = digits[from[i] & 15];
	}
	return to;
}

int weir_props_add(struct weir_props *props, const char *key,
		   const void *value, size_t len)
{
	size_t key_len = strlen(key);
	char *to;
	int err;

	if (!key_is_plain(key))
		return -EINVAL;
	if (len > SIZE_MAX / 16)
		return -ENOMEM;
	err = make_text_room(props, key_len + 3 * len + 2);
	if (err)
		return err;
	to = props->text + props->used;
	memcpy(to, key, key_len);
	to[key_len] = '=';
	to = put_escaped(to + key_len + 1, value, len);
	*to++ = '\n';
	props->used = (size_t)(to - props->text);
	return 0;
}

int weir_props_add_text(struct weir_props *props, const char *key,
			const char *value)
{
	return weir_props_add(props, key, value, strlen(value));
}

int weir_props_add_number(struct weir_props *props, const char *key,
			  uint64_t value)
{
	char digits[20], *d = digits + sizeof(digits);

	do {
		*--d = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return weir_props_add(props, key, d,
			      (size_t)(digits + sizeof(digits) - d));
}

void weir_props_start(struct weir_props_walk *walk, const void *text,
		      size_t size)
{
	*walk = (struct weir_props_walk){ .text = text, .size = size };
}

int weir_props_next(struct weir_props_walk *walk,
		    struct weir_props_line *ret_line)
{
	while (walk->at < walk->size) {
		const char *line = walk->text + walk->at;
		size_t left = walk->size - walk->at;
		const char *end = memchr(line, '\n', left);
		size_t len = end ? (size_t)(end - line) : left;
		const char *equals = memchr(line, '=', len);

		walk->at += len + !!end;
		if (!equals)
			continue;
		ret_line->key = line;
		ret_line->key_len = (size_t)(equals - line);
		ret_line->value = equals + 1;
		ret_line->value_len = len - ret_line->key_len - 1;
		return 1;
	}
	return 0;
}

int weir_props_is(const struct weir_props_line *line, const char *key)
{
	return line->key_len == strlen(key) &&
	       !memcmp(line->key, key, line->key_len);
}

int weir_props_number(const struct weir_props_line *line,
		      uint64_t *ret_number)
{
	uint64_t number = 0;

	if (!line->value_len)
		return -EINVAL;
	for (size_t i = 0; i < line->value_len; i++) {
		unsigned int digit = (unsigned char)line->value[i] - '0';

		if (digit > 9 ||
		    __builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, digit, &number))
			return -EINVAL;
	}
	*ret_number = number;
	return 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

size_t weir_props_value(const struct weir_props_line *line, char *to,
			size_t room)
{
	const char *from = line->value;
	size_t len = line->value_len, used = 0;

	for (size_t i = 0; i < len && used + 1 < room; i++) {
		int high = -1, low = -1;

		if (from[i] == '%' && len - i > 2) {
			high = hex_digit(from[i + 1]);
			low = hex_digit(from[i + 2]);
		}
		if (high >= 0 && low >= 0) {
			to[used++] = (char)(high << 4 | low);
			i += 2;
		} else {
			to[used++] = from[i];
		}
	}
	to[used] = 0;
	return used;
}
