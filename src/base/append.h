/* SPDX-License-Identifier: BSD-3-Clause */
/* Appends to a text without libc's help: names of files. */
#ifndef WEIR_BASE_APPEND_H
#define WEIR_BASE_APPEND_H

#include <stdint.h>

/* Both return where the text ends; it is terminated there. */
static inline char *weir_append_text(char *at, const char *text)
{
	while (*text)
		*at++ = *text++;
	*at = 0;
	return at;
}

static inline char *weir_append_number(char *at, uint64_t number)
{
	char digits[24];
	int n = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while (number /= 10);
	while (n)
		*at++ = digits[--n];
	*at = 0;
	return at;
}

static inline char *weir_append_path(char *to, const char *directory,
				     const char *name)
{
	return weir_append_text(
		weir_append_text(weir_append_text(to, directory), "/"), name);
}

#endif
