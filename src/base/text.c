/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes text to a file fast: numbers, padding and escapes. */
#include "base/text.h"

#include "base/whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM   (256u << 10)
#define DIGITS 24 /* more than any number takes */

int weir_text_init(struct weir_text *text, int fd)
{
	*text = (struct weir_text){ .fd = fd, .room = ROOM };
	text->bytes = malloc(ROOM);
	return text->bytes ? 0 : -ENOMEM;
}

void weir_text_fini(struct weir_text *text)
{
	free(text->bytes);
	text->bytes = NULL;
}

static void write_out(struct weir_text *text, const char *bytes, size_t len)
{
	if (len && !text->err)
		text->err = weir_whole_write(text->fd, bytes, len);
}

int weir_text_flush(struct weir_text *text)
{
	write_out(text, text->bytes, text->used);
	text->used = 0;
	return text->err;
}

/* Room for a few bytes, to be filled at once. */
static char *make_text_room(struct weir_text *text, size_t len)
{
	if (text->room - text->used < len)
		weir_text_flush(text);
	return text->bytes + text->used;
}

void weir_text_bytes(struct weir_text *text, const void *bytes, size_t len)
{
	if (text->room - text->used < len)
		weir_text_flush(text);
	if (len > text->room) {
		write_out(text, bytes, len);
		return;
	}
	if (len)
		memcpy(text->bytes + text->used, bytes, len);
	text->used += len;
}

void weir_text_string(struct weir_text *text, const char *string)
{
	weir_text_bytes(text, string, strlen(string));
}

void weir_text_paint(struct weir_text *text, enum weir_text_colour colour)
{
	static const char *const codes[] = {
		[WEIR_TEXT_PLAIN] = "\033[0m",
		[WEIR_TEXT_BOLD] = "\033[1m",
		[WEIR_TEXT_RED] = "\033[1;31m",
		[WEIR_TEXT_YELLOW] = "\033[33m",
		[WEIR_TEXT_CYAN] = "\033[36m",
	};

	if (text->has_colours)
		weir_text_string(text, codes[colour]);
}

void weir_text_char(struct weir_text *text, char c)
{
	*make_text_room(text, 1) = c;
	text->used++;
}

void weir_text_format_list(struct weir_text *text, const char *format,
			   va_list args)
{
	char line[256];

	vsnprintf(line, sizeof(line), format, args);
	weir_text_string(text, line);
}

void weir_text_format(struct weir_text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	weir_text_format_list(text, format, args);
	va_end(args);
}

/* Writes digits so that they end before `end`; returns where they begin. */
static char *digits_before(char *end, uint64_t number)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324"
		"25262728293031323334353637383940414243444546474849"
		"50515253545556575859606162636465666768697071727374"
		"75767778798081828384858687888990919293949596979899";

	while (number >= 100) {
		end -= 2;
		memcpy(end, pairs + 2 * (number % 100), 2);
		number /= 100;
	}
	if (number >= 10) {
		end -= 2;
		memcpy(end, pairs + 2 * number, 2);
		return end;
	}
	*--end = (char)('0' + number);
	return end;
}

void weir_text_unsigned(struct weir_text *text, uint64_t number)
{
	char digits[DIGITS], *end = digits + DIGITS;
	char *begin = digits_before(end, number);

	weir_text_bytes(text, begin, (size_t)(end - begin));
}

void weir_text_signed(struct weir_text *text, int64_t number)
{
	if (number < 0)
		weir_text_char(text, '-');
	weir_text_unsigned(text, number < 0 ? -(uint64_t)number :
					      (uint64_t)number);
}

static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";

static void put_power(struct weir_text *text, uint64_t number,
		      unsigned int bits, const char *digit)
{
	char digits[DIGITS], *end = digits + DIGITS, *begin = end;

	do {
		*--begin = digit[number & ((1u << bits) - 1)];
		number >>= bits;
	} while (number);
	weir_text_bytes(text, begin, (size_t)(end - begin));
}

void weir_text_hex(struct weir_text *text, uint64_t number)
{
	weir_text_string(text, "0x");
	put_power(text, number, 4, lower);
}

void weir_text_pointer(struct weir_text *text, uint64_t number)
{
	weir_text_string(text, "0x");
	put_power(text, number, 4, upper);
}

void weir_text_octal(struct weir_text *text, uint64_t number)
{
	if (number)
		weir_text_char(text, '0');
	put_power(text, number, 3, lower);
}

static void pad(struct weir_text *text, size_t len, unsigned int width)
{
	for (; len < width; len++)
		weir_text_char(text, ' ');
}

void weir_text_aligned(struct weir_text *text, uint64_t number,
		       unsigned int width)
{
	char digits[DIGITS], *end = digits + DIGITS;
	char *begin = digits_before(end, number);

	pad(text, (size_t)(end - begin), width);
	weir_text_bytes(text, begin, (size_t)(end - begin));
}

void weir_text_seconds(struct weir_text *text, uint64_t ns,
		       unsigned int width)
{
	char digits[2 * DIGITS], *end = digits + sizeof(digits);
	char *begin = digits_before(end, ns % 1000000000);

	while (begin > end - 9)
		*--begin = '0';
	*--begin = '.';
	begin = digits_before(begin, ns / 1000000000);
	pad(text, (size_t)(end - begin), width);
	weir_text_bytes(text, begin, (size_t)(end - begin));
}

/* Characters that turn the direction of text or end lines hide what is. */
static int is_safe(uint32_t c)
{
	return c >= 0xa0 && c != 0x61c && c != 0xfeff &&
	       !(c >= 0x200b && c <= 0x200f) && !(c >= 0x2028 && c <= 0x202e) &&
	       !(c >= 0x2060 && c <= 0x206f) && !(c >= 0xd800 && c <= 0xdfff);
}

size_t weir_text_shown(const uint8_t *bytes, size_t len)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : 2;
	uint32_t c;

	if (bytes[0] < 0x80)
		return bytes[0] >= 0x20 && bytes[0] != 0x7f;
	if (bytes[0] < 0xc2 || bytes[0] > 0xf4 || len < n)
		return 0;
	c = bytes[0] & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (bytes[i] & 0x3f);
	}
	return c >= least[n] && c <= 0x10ffff && is_safe(c) ? n : 0;
}

static void put_byte(struct weir_text *text, const char *mark, uint8_t byte)
{
	weir_text_string(text, mark);
	weir_text_char(text, lower[byte >> 4]);
	weir_text_char(text, lower[byte & 15]);
}

/* What each form writes for the bytes that cannot stay as they are. */
struct form {
	const char *backslash, *quote, *unsafe;
};

static void put_as(struct weir_text *text, const uint8_t *bytes, size_t len,
		   const struct form *form)
{
	size_t plain = 0, at = 0;

	while (at < len) {
		size_t n = weir_text_shown(bytes + at, len - at);

		if (n && bytes[at] != '\\' && bytes[at] != '"') {
			at += n;
			continue;
		}
		weir_text_bytes(text, bytes + plain, at - plain);
		if (!n)
			put_byte(text, form->unsafe, bytes[at]);
		else
			weir_text_string(text, bytes[at] == '"' ?
						       form->quote :
						       form->backslash);
		plain = ++at;
	}
	weir_text_bytes(text, bytes + plain, at - plain);
}

void weir_text_safe(struct weir_text *text, const void *bytes, size_t len)
{
	static const struct form form = { "\\\\", "\"", "\\x" };

	put_as(text, bytes, len, &form);
}

void weir_text_nested(struct weir_text *text, const void *bytes, size_t len)
{
	const uint8_t *at = bytes;

	while (len) {
		size_t n = 0;

		while (n < len && at[n] != '(' && at[n] != ')')
			n++;
		weir_text_safe(text, at, n);
		if (n < len)
			put_byte(text, "\\x", at[n++]);
		at += n;
		len -= n;
	}
}

void weir_text_quoted(struct weir_text *text, const void *bytes, size_t len)
{
	static const struct form form = { "\\\\", "\\\"", "\\x" };

	weir_text_char(text, '"');
	put_as(text, bytes, len, &form);
	weir_text_char(text, '"');
}

void weir_text_json(struct weir_text *text, const void *bytes, size_t len)
{
	static const struct form form = { "\\\\\\\\", "\\\"", "\\\\x" };

	weir_text_char(text, '"');
	put_as(text, bytes, len, &form);
	weir_text_char(text, '"');
}

void weir_text_csv(struct weir_text *text, const void *bytes, size_t len)
{
	static const struct form form = { "\\\\", "\"\"", "\\x" };
	int needs = memchr(bytes, ',', len) || memchr(bytes, '"', len);

	if (needs)
		weir_text_char(text, '"');
	put_as(text, bytes, len, &form);
	if (needs)
		weir_text_char(text, '"');
}
