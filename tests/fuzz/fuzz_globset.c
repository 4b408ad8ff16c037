/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Feeds the set of patterns any words, one a line: a first line of + and - (one
 * a pattern: as a name, or not), the patterns, and behind an empty line paths.
 * The matcher of one pattern says what is right.
 */
#include "base/glob.h"
#include "base/globset.h"
#include "target.h"

#include <stdbool.h>

#define PATTERNS 32
#define LONGEST	 128

struct pattern {
	const char *text;
	bool is_name;
};

static struct pattern patterns[PATTERNS];

static bool matches(const struct pattern *pattern, const char *path)
{
	return pattern->is_name ? weir_glob_matches_path(pattern->text, path) :
				  weir_glob_matches(pattern->text, path);
}

static void try_path(const struct weir_globset *set, const char *path)
{
	int from = 0, found;

	if (strlen(path) > LONGEST)
		return;
	for (int i = 0; i < set->patterns; i++) {
		if (!matches(&patterns[i], path))
			continue;
		found = weir_globset_find(set, path, strlen(path), from);
		must(found == i);
		from = i + 1;
	}
	must(weir_globset_find(set, path, strlen(path), from) == -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct weir_globset_try tries[2 * PATTERNS];
	struct weir_globset set = { .tries = tries, .room = 2 * PATTERNS };
	char *text = text_of(data, size), *rest = text, *line;
	const char *kinds = strsep(&rest, "\n");

	while ((line = strsep(&rest, "\n")) && *line) {
		struct pattern *one = &patterns[set.patterns];

		if (set.patterns == PATTERNS || strlen(line) > LONGEST)
			break;
		one->text = line;
		one->is_name = *kinds == '+';
		kinds += !!*kinds;
		if (!weir_globset_add(&set, line, one->is_name))
			break;
	}
	while ((line = strsep(&rest, "\n")))
		try_path(&set, line);
	free(text);
	return 0;
}

static const char *const words[] = {
	"*", "**", "?", "[", "]", "[a-z]", "[!a-z]", "\\", "\\*", "/", "//",
	"/a/b.h5", "*.so", "*.so.*", "/usr/lib/*", "*/site-packages/*", "a",
	"/proc/", ".", "\n", "\n\n", "+\n", "-+\n", "__pycache__", NULL,
};

const struct fuzz_shape fuzz_shape = { .part = find_line, .words = words };
