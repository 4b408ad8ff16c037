/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches paths with patterns. It neither allocates nor recurses. */
#include "base/glob.h"

#include <string.h>

/* After the set's closing bracket; NULL: there is none. */
static const char *set_end(const char *set)
{
	set += *set == '!' || *set == '^';
	set += *set == ']';
	set = strchr(set, ']');
	return set ? set + 1 : NULL;
}

static bool is_in_set(const char *set, const char *end, unsigned char byte)
{
	bool inverted = *set == '!' || *set == '^';
	bool found = false;

	set += inverted;
	do {
		unsigned char low = (unsigned char)*set, high = low;

		if (set[1] == '-' && set + 3 < end) {
			high = (unsigned char)set[2];
			set += 2;
		}
		found |= low <= byte && byte <= high;
	} while (++set < end - 1);
	return found != inverted;
}

/* One element of the pattern and one byte; NULL: they do not match. */
static const char *match_one(const char *pattern, char byte)
{
	const char *end = *pattern == '[' ? set_end(pattern + 1) : NULL;

	if (end)
		return is_in_set(pattern + 1, end, (unsigned char)byte) ? end
									: NULL;
	if (*pattern == '?')
		return pattern + 1;
	if (*pattern == '\\' && pattern[1])
		pattern++;
	return *pattern == byte ? pattern + 1 : NULL;
}

/* Only the last * need be tried again: it can take what earlier ones could. */
bool weir_glob_fits(const char *pattern, const char *text, const char *end)
{
	const char *again = NULL, *again_text = NULL;

	for (;;) {
		const char *next = NULL;

		if (*pattern == '*') {
			again = ++pattern;
			again_text = text;
			if (!*pattern)
				return true;
			continue;
		}
		if (!*pattern && text == end)
			return true;
		if (*pattern && text < end)
			next = match_one(pattern, *text);
		if (next) {
			pattern = next;
			text++;
			continue;
		}
		if (!again || again_text == end)
			return false;
		pattern = again;
		text = ++again_text;
	}
}

bool weir_glob_matches(const char *pattern, const char *text)
{
	return weir_glob_fits(pattern, text, text + strlen(text));
}

bool weir_glob_matches_path(const char *pattern, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (weir_glob_matches(pattern, path))
		return true;
	return slash && !strchr(pattern, '/') &&
	       weir_glob_matches(pattern, slash + 1);
}
