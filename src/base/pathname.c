/* SPDX-License-Identifier: BSD-3-Clause */
/* Spells names of files that mean the same in the same way. */
#include "base/pathname.h"

#include <stdbool.h>
#include <string.h>

/* What is kept, from behind the first / on. */
struct kept {
	char *begin, *end;
	bool is_rooted;
};

static bool is_up(const char *at, size_t length)
{
	return length == 2 && at[0] == '.' && at[1] == '.';
}

/* Takes the last one away; false: there is none that may go. */
static bool drop_last(struct kept *kept)
{
	char *at = kept->end;
	size_t length;

	while (at > kept->begin && at[-1] != '/')
		at--;
	length = (size_t)(kept->end - at);
	if (!length || is_up(at, length) || memchr(at, '*', length))
		return false;
	kept->end = at > kept->begin ? at - 1 : at;
	return true;
}

static void keep_part(struct kept *kept, const char *at, size_t length)
{
	if (!length || (length == 1 && *at == '.'))
		return;
	if (is_up(at, length) &&
	    (drop_last(kept) || (kept->is_rooted && kept->end == kept->begin)))
		return;
	if (kept->end > kept->begin)
		*kept->end++ = '/';
	memmove(kept->end, at, length);
	kept->end += length;
}

void weir_pathname_tidy(char *path)
{
	struct kept kept = { .is_rooted = *path == '/' };
	const char *at = path;
	size_t length;

	kept.begin = kept.end = path + kept.is_rooted;
	for (; *at; at += length + (at[length] == '/')) {
		length = strcspn(at, "/");
		keep_part(&kept, at, length);
	}
	*kept.end = '\0';
}
