/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds and parses text payloads: lines of key=value. */
#ifndef WEIR_FACTS_PROPS_H
#define WEIR_FACTS_PROPS_H

#include <stddef.h>
#include <stdint.h>

/*
 * A text being built. In values, bytes below 0x20, 0x7f and '%' are written
 * %XX, so that a value may be any bytes and a line is always one line.
 */
struct weir_props {
	char *text; /* not NUL-terminated */
	size_t used, room;
};

void weir_props_init(struct weir_props *props);
void weir_props_fini(struct weir_props *props);

/* 0, -ENOMEM, or -EINVAL for a key with '=' or control bytes in it. */
int weir_props_add(struct weir_props *props, const char *key,
		   const void *value, size_t len);
int weir_props_add_text(struct weir_props *props, const char *key,
			const char *value);
int weir_props_add_number(struct weir_props *props, const char *key,
			  uint64_t value);

/* Walks the lines of a text; `at` is where the next one begins. */
struct weir_props_walk {
	const char *text;
	size_t size, at;
};

/* A line. Nothing is copied or terminated; the value is still escaped. */
struct weir_props_line {
	const char *key, *value;
	size_t key_len, value_len;
};

void weir_props_start(struct weir_props_walk *walk, const void *text,
		      size_t size);

/* 1 and a line, or 0 at the end. Lines without '=' are passed over. */
int weir_props_next(struct weir_props_walk *walk,
		    struct weir_props_line *ret_line);

int weir_props_is(const struct weir_props_line *line, const char *key);

/* 0, or -EINVAL when the value is not one plain decimal number. */
int weir_props_number(const struct weir_props_line *line,
		      uint64_t *ret_number);

/*
 * Writes the unescaped value and a NUL; a longer value is cut to fit room,
 * which must not be 0. Returns the length written, without the NUL.
 */
size_t weir_props_value(const struct weir_props_line *line, char *to,
			size_t room);

#endif
