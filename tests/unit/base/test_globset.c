/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of patterns finds what trying them one by one finds. */
#include "base/globset.h"

#include "base/glob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PATTERNS 12
#define LONGEST	 24

struct made {
	char texts[PATTERNS][LONGEST];
	bool are_names[PATTERNS];
	struct weir_globset_try tries[PATTERNS * 2];
	struct weir_globset set;
};

static void random_text(char *to, const char *letters, unsigned *seed)
{
	int len = rand_r(seed) % (LONGEST - 1);

	for (int i = 0; i < len; i++)
		to[i] = letters[(size_t)rand_r(seed) % strlen(letters)];
	to[len] = 0;
}

static void make_set(struct made *made, unsigned *seed)
{
	int count = 1 + rand_r(seed) % PATTERNS;

	made->set = (struct weir_globset){ .tries = made->tries,
					   .room = PATTERNS * 2 };
	for (int i = 0; i < count; i++) {
		made->are_names[i] = rand_r(seed) % 2;
		random_text(made->texts[i], "aab//.**?[]\\", seed);
		made->texts[i][rand_r(seed) % 12] = 0;
		assert_true(weir_globset_add(&made->set, made->texts[i],
					     made->are_names[i]));
	}
}

static int find_one_by_one(const struct made *made, const char *path, int from)
{
	for (int i = from; i < made->set.patterns; i++)
		if (made->are_names[i] ?
			    weir_glob_matches_path(made->texts[i], path) :
			    weir_glob_matches(made->texts[i], path))
			return i;
	return -1;
}

static void finds_what_one_by_one_finds(void **state)
{
	static struct made made;
	unsigned seed = 7, found = 0;

	for (int i = 0; i < 150000; i++) {
		char path[LONGEST];
		int from, number;

		if (i % 16 == 0)
			make_set(&made, &seed);
		random_text(path, "aab//.[]", &seed);
		from = rand_r(&seed) % (made.set.patterns + 1);
		number = weir_globset_find(&made.set, path, strlen(path),
					   from);
		assert_int_equal(number, find_one_by_one(&made, path, from));
		found += number >= 0;
	}
	assert_true(found > 4000);
}

/* Behind the end there may be more, which is not part of the path. */
static void looks_no_further_than_the_end(void **state)
{
	struct weir_globset_try tries[4];
	struct weir_globset set = { .tries = tries, .room = 4 };

	assert_true(weir_globset_add(&set, "*.h5", false));
	assert_true(weir_globset_add(&set, "/data/*", false));
	assert_int_equal(weir_globset_find(&set, "/x/a.h5:/b", 7, 0), 0);
	assert_int_equal(weir_globset_find(&set, "/x/a.h5:/b", 10, 0), -1);
	assert_int_equal(weir_globset_find(&set, "/data/", 5, 0), -1);
	assert_int_equal(weir_globset_find(&set, "/data/", 6, 0), 1);
}

static void is_full_in_time(void **state)
{
	struct weir_globset_try tries[3];
	struct weir_globset set = { .tries = tries, .room = 3 };

	assert_true(weir_globset_add(&set, "ab", true));
	assert_false(weir_globset_add(&set, "cd", true));
	assert_int_equal(weir_globset_find(&set, "/x/ab", 5, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_one_by_one_finds),
		cmocka_unit_test(looks_no_further_than_the_end),
		cmocka_unit_test(is_full_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
