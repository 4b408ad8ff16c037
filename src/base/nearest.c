/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the known word that a mistyped one was meant to be. */
#include "base/nearest.h"

#include <stdbool.h>
#include <string.h>

/* Names are short; a longer word is no slip of the finger. */
#define MAX_LENGTH 31

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* The letters to add, drop, change or swap with a neighbour: a to b. */
static unsigned distance(const char *a, size_t a_length, const char *b,
			 size_t b_length)
{
	/* rows[i % 3][j]: between a's first i letters and b's first j */
	unsigned rows[3][MAX_LENGTH + 1];

	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned *now = rows[i % 3];
		const unsigned *last = rows[(i + 2) % 3];
		const unsigned *before = rows[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= b_length; j++) {
			bool swapped = i > 1 && j > 1 &&
				       a[i - 1] == b[j - 2] &&
				       a[i - 2] == b[j - 1];

			now[j] = least(last[j] + 1, now[j - 1] + 1,
				       last[j - 1] + (a[i - 1] != b[j - 1]));
			if (swapped && before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
	}
	return rows[a_length % 3][b_length];
}

static bool begins_with(const char *candidate, const char *word,
			size_t length)
{
	return length >= 2 && !strncmp(candidate, word, length);
}

void weir_nearest_init(struct weir_nearest *n, const char *word,
		       size_t length)
{
	n->best = NULL;
	n->word = word;
	n->length = length;
	/* one slip in every four letters, and one in any case */
	n->bound = (unsigned)(length < MAX_LENGTH ? length / 4 + 2 : 0);
}

void weir_nearest_offer(struct weir_nearest *n, const char *candidate)
{
	size_t length = strlen(candidate);
	unsigned d;

	if (!n->bound || length > MAX_LENGTH)
		return;
	if (begins_with(candidate, n->word, n->length))
		d = 0;
	else
		d = distance(n->word, n->length, candidate, length);
	/* nothing of the word may be left: then it is no resemblance */
	if (d >= n->bound || d >= n->length)
		return;
	n->best = candidate;
	n->bound = d;
}
