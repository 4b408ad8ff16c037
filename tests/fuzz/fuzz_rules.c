/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the matcher of patterns and the list of rules any words, one a line: a
 * pattern, then names to try. A plain matcher says what is right.
 */
#include "base/glob.h"
#include "launch/ranks/rules.h"
#include "target.h"
#include "trace/layout/control_layout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

#define LONGEST 64 /* of words that the plain matcher tries */

/* The byte is in the set behind [; its end, NULL: it has none. */
static const char *find_end(const char *set)
{
	set += *set == '!' || *set == '^';
	set += *set == ']';
	return strchr(set, ']');
}

static bool is_in(const char *set, const char *end, unsigned char byte)
{
	bool is_not = *set == '!' || *set == '^', found = false;

	for (set += is_not; set < end; set++) {
		unsigned char low = (unsigned char)*set, high = low;

		if (set[1] == '-' && set + 2 < end) {
			high = (unsigned char)set[2];
			set += 2;
		}
		found |= low <= byte && byte <= high;
	}
	return found != is_not;
}

/* As doc/ says it, by trying everything. */
static bool plainly_matches(const char *pattern, const char *text)
{
	const char *end;

	switch (*pattern) {
	case '\0':
		return !*text;
	case '*':
		return plainly_matches(pattern + 1, text) ||
		       (*text && plainly_matches(pattern, text + 1));
	case '?':
		return *text && plainly_matches(pattern + 1, text + 1);
	case '[':
		end = find_end(pattern + 1);
		if (end)
			return *text &&
			       is_in(pattern + 1, end, (unsigned char)*text) &&
			       plainly_matches(end + 1, text + 1);
		break;
	case '\\':
		pattern += !!pattern[1];
		break;
	}
	return *pattern == *text && plainly_matches(pattern + 1, text + 1);
}

static bool is_simple(const char *pattern)
{
	int stars = 0;

	for (const char *c = pattern; *c; c++)
		stars += *c == '*';
	return stars < 4 && strlen(pattern) < LONGEST;
}

static void try_names(const char *pattern, char *rest)
{
	char *name;

	while ((name = strsep(&rest, "\n"))) {
		bool matches = weir_glob_matches(pattern, name);

		weir_glob_matches_path(pattern, name);
		if (is_simple(pattern) && strlen(name) < LONGEST)
			must(matches == plainly_matches(pattern, name));
	}
}

static void add_rules(char *rest)
{
	struct weir_rules rules = { 0 };
	char *word;
	int err;

	while ((word = strsep(&rest, "\n"))) {
		err = weir_rules_add(&rules, '+', word);
		must(!err || err == -E2BIG);
	}
	must(rules.bytes <= WEIR_CONTROL_RULES);
	must(!rules.bytes || !rules.text[rules.bytes - 1]);
	weir_rules_fini(&rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = text_of(data, size), *rest = text;
	const char *pattern = strsep(&rest, "\n");

	try_names(pattern, rest);
	free(text);
	text = text_of(data, size);
	add_rules(text);
	free(text);
	return 0;
}

static const char *const words[] = {
	"*", "**", "?", "[", "]", "[a-z]", "[!a-z]", "[^b]", "[]]", "[!]a]",
	"[a-]", "\\", "\\*", "/", "./", "../", ".h5", "/tmp/", "a", "\n",
	"\n/a/b.h5", "*/*/*/*", NULL,
};

const struct fuzz_shape fuzz_shape = { .words = words };
