/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes text to a file fast: numbers, padding and escapes. */
#ifndef WEIR_BASE_TEXT_H
#define WEIR_BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A buffer before a file. The first error is kept and told by flush; after
 * it everything is thrown away, so that only the end needs to look.
 */
struct weir_text {
	int fd; /* borrowed */
	int err;
	int has_colours; /* for a terminal that knows them; to be set */
	size_t used, room;
	char *bytes;
};

/* 0 or -ENOMEM. */
int weir_text_init(struct weir_text *text, int fd);
void weir_text_fini(struct weir_text *text);

/* Writes all out; 0 or the first error there was. */
int weir_text_flush(struct weir_text *text);

void weir_text_bytes(struct weir_text *text, const void *bytes, size_t len);
void weir_text_string(struct weir_text *text, const char *string);
void weir_text_char(struct weir_text *text, char c);

enum weir_text_colour {
	WEIR_TEXT_PLAIN,
	WEIR_TEXT_BOLD,
	WEIR_TEXT_RED,
	WEIR_TEXT_YELLOW,
	WEIR_TEXT_CYAN,
};

/* How what follows looks, where there are colours. */
void weir_text_paint(struct weir_text *text, enum weir_text_colour colour);

/* As printf() does; what is longer than 255 bytes is cut. */
void weir_text_format(struct weir_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void weir_text_format_list(struct weir_text *text, const char *format,
			   va_list args) __attribute__((format(printf, 2, 0)));

void weir_text_unsigned(struct weir_text *text, uint64_t number);
void weir_text_signed(struct weir_text *text, int64_t number);
void weir_text_hex(struct weir_text *text, uint64_t number);   /* 0x1f */
void weir_text_pointer(struct weir_text *text, uint64_t number); /* 0x1F */
void weir_text_octal(struct weir_text *text, uint64_t number); /* 0644 */

/* Right-aligned to width. */
void weir_text_aligned(struct weir_text *text, uint64_t number,
		       unsigned int width);

/* Nanoseconds as seconds with nine decimals, right-aligned to width. */
void weir_text_seconds(struct weir_text *text, uint64_t ns,
		       unsigned int width);

/*
 * Any bytes as text that is safe to show and can be taken back: a backslash
 * becomes \\, and bytes that are not well-formed UTF-8, or control something,
 * become \xNN.
 */
void weir_text_safe(struct weir_text *text, const void *bytes, size_t len);

/* The safe form for text between parentheses: those in it are \xNN too. */
void weir_text_nested(struct weir_text *text, const void *bytes, size_t len);

/* The same between quotes; quotes inside become \". */
void weir_text_quoted(struct weir_text *text, const void *bytes, size_t len);

/* The safe form as a JSON string, and as a field of CSV. */
void weir_text_json(struct weir_text *text, const void *bytes, size_t len);
void weir_text_csv(struct weir_text *text, const void *bytes, size_t len);

/*
 * Length of the well-formed UTF-8 character at `bytes` that is safe to show,
 * or 0. len must not be 0.
 */
size_t weir_text_shown(const uint8_t *bytes, size_t len);

#endif
