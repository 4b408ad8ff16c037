/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of files, spelled without libc's help. */
#ifndef WEIR_CAPTURE_SPELL_H
#define WEIR_CAPTURE_SPELL_H

#include "trace/layout/live_layout.h"

#include <stdint.h>

#define WEIR_SPELL_PATH (WEIR_LIVE_DIRECTORY + 80)

/* Both return where the text ends; it is terminated there. */
static inline char *weir_spell_text(char *at, const char *text)
{
	while (*text)
		*at++ = *text++;
	*at = 0;
	return at;
}

static inline char *weir_spell_number(char *at, uint64_t number)
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

static inline char *weir_spell_path(char *to, const char *directory,
				    const char *name)
{
	return weir_spell_text(
		weir_spell_text(weir_spell_text(to, directory), "/"), name);
}

#endif
