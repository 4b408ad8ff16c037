/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins and tidies paths by their text alone. */
#include "trace/event/pathjoin.h"

#include <string.h>

static int is_absolute(struct weir_path path)
{
	return path.len && path.text[0] == '/';
}

static size_t part_length(const uint8_t *part, const uint8_t *end)
{
	const uint8_t *slash = memchr(part, '/', (size_t)(end - part));

	return (size_t)((slash ? slash : end) - part);
}

/* In place: the result is never longer than what has been read. */
static void tidy(struct weir_bytes *path)
{
	const uint8_t *from = path->data, *end = from + path->used;
	uint8_t *to = path->data;

	while (from < end) {
		size_t len;

		from++; /* a slash */
		len = part_length(from, end);
		if (len == 2 && from[0] == '.' && from[1] == '.') {
			while (to > path->data && *--to != '/')
				;
		} else if (len && !(len == 1 && from[0] == '.')) {
			*to++ = '/';
			memmove(to, from, len);
			to += len;
		}
		from += len;
	}
	if (to == path->data)
		*to++ = '/';
	path->used = (size_t)(to - path->data);
}

int weir_pathjoin_make(struct weir_path base, struct weir_path path,
		       struct weir_bytes *ret_joined)
{
	int err = 0;

	ret_joined->used = 0;
	if (!is_absolute(path) && is_absolute(base)) {
		err = weir_bytes_add(ret_joined, base.text, base.len);
		if (!err)
			err = weir_bytes_add(ret_joined, "/", 1);
	}
	if (!err)
		err = weir_bytes_add(ret_joined, path.text, path.len);
	if (!err && ret_joined->used && ret_joined->data[0] == '/')
		tidy(ret_joined);
	return err;
}
