/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares values of hints and variables, however they are written. */
#include "layers/mpi/mpi_value.h"

#include <stddef.h>
#include <stdint.h>

static char small(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? (char)(letter | 32) : letter;
}

/* Of a digit. */
static unsigned digit_of(char letter)
{
	letter = small(letter);
	return letter >= 'a' ? (unsigned)(letter - 'a') + 10
			     : (unsigned)(unsigned char)letter - '0';
}

/* Libc's own would be a symbol more that programs may replace. */
static bool is_same_word(const char *a, const char *b)
{
	while (*a && small(*a) == small(*b)) {
		a++;
		b++;
	}
	return !*a && !*b;
}

/* As C writes them, without a sign. */
static bool is_number(const char *text, uint64_t *ret_number)
{
	unsigned base = text[0] == '0' && small(text[1]) == 'x' ? 16 : 10;

	*ret_number = 0;
	if (base == 16)
		text += 2;
	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit = digit_of(*text);

		if (digit >= base)
			return false;
		*ret_number = *ret_number * base + digit;
	}
	return true;
}

int weir_mpi_value_switch(const char *text)
{
	static const char *const words[2][6] = {
		{ "disable", "disabled", "false", "no", "off", "0" },
		{ "enable", "enabled", "true", "yes", "on", "1" },
	};

	for (int on = 0; on < 2; on++)
		for (int i = 0; i < 6; i++)
			if (is_same_word(text, words[on][i]))
				return on;
	return -1;
}

bool weir_mpi_value_agree(const char *asked, const char *got)
{
	uint64_t a, b;

	if (is_same_word(asked, got))
		return true;
	if (is_number(asked, &a) && is_number(got, &b))
		return a == b;
	return weir_mpi_value_switch(asked) >= 0 &&
	       weir_mpi_value_switch(asked) == weir_mpi_value_switch(got);
}
