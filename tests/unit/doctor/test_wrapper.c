/* SPDX-License-Identifier: BSD-3-Clause */
/* Which command a wrapper starts, and what it does to it. */
#include "doctor/wrapper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MAX_WORDS 16

struct line {
	const char *words;
	const char *next; /* NULL: not known */
	bool acts;
	const char *root;
};

static const struct line lines[] = {
	{"env ./app", "./app", false, NULL},
	{"/usr/bin/env -i ./app", "./app", true, NULL},
	{"env -vi ./app", "./app", true, NULL},
	{"env - ./app", "./app", true, NULL},
	{"env -uinside ./app", "./app", false, NULL},
	{"env -u i -C / ./app", "./app", false, NULL},
	{"env A=b B= ./a=b", "./a=b", false, NULL},
	{"env --ignore-environment A=b ./app", "./app", true, NULL},
	{"env -i", NULL, true, NULL},
	{"/lib64/ld-linux-x86-64.so.2 --library-path /x ./app", "./app", false,
	 NULL},
	{"nice ./app -i", "./app", false, NULL},
	{"nice -n 5 ./app", "./app", false, NULL},
	{"timeout -k 1 5 ./app 7", "./app", false, "5"},
	{"taskset -c 0-3 ./app", "./app", false, "0-3"},
	{"sudo -u me -- ./app", "./app", true, NULL},
	{"su - me -c ./app", NULL, true, NULL},
	{"chroot --userspec=a:b /jail ./app", "./app", true, "/jail"},
	{"unshare -m ./app", "./app", false, NULL},
	{"unshare --root=/jail ./app", "./app", true, "/jail"},
	{"setpriv --reuid 5 ./app", "./app", true, NULL},
	{"setpriv --no-new-privs ./app", "./app", false, NULL},
	{"ssh host ./app", NULL, true, NULL},
	{"mpirun -n 4 --mca a b -x A=b ./app -n 2", "./app", true, NULL},
	{"mpirun.openmpi --map-by node ./app", "./app", true, NULL},
	{"mpiexec.hydra -genv A b -ppn 2 ./app", "./app", true, NULL},
	{"srun --ntasks=4 ./app", "./app", true, NULL},
	{"/nowhere/mpiexec -genv A b -n 2 ./app", "./app", true, NULL},
	{"/nowhere/mpirun --mca a b -n 2 ./app", "./app", true, NULL},
	{"aprun -n 4 -cc cpu ./app", "./app", true, NULL},
	{"jsrun -n4 --tasks_per_rs 2 ./app", "./app", true, NULL},
	{"srun --unheard ./app", NULL, true, NULL},
};

static size_t split(char *text, char **words)
{
	size_t count = 0;

	while ((words[count] = strsep(&text, " ")))
		count++;
	return count;
}

static void check_line(const struct line *line)
{
	struct weir_wrapper_use use;
	char text[128], *words[MAX_WORDS];
	const char *next;

	snprintf(text, sizeof(text), "%s", line->words);
	split(text, words);
	if (!weir_wrapper_read(words, &use))
		fail_msg("%s: no wrapper", line->words);
	next = use.next ? *use.next : NULL;
	if (!next != !line->next || (next && strcmp(next, line->next)))
		fail_msg("%s: starts %s", line->words, next ? next : "nothing");
	/* To pass everything on is no effect that could be missed. */
	if (use.wrapper->effect != WEIR_WRAPPER_PASSES &&
	    use.acts != line->acts)
		fail_msg("%s: acts %d", line->words, use.acts);
	if (line->root && (!use.root || strcmp(use.root, line->root)))
		fail_msg("%s: root %s", line->words, use.root);
}

static void lines_are_understood(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		check_line(&lines[i]);
}

static void others_are_no_wrappers(void **state)
{
	static const char *const others[] = {"./app", "envy", "sh", "mpirunner",
					     "", "/env/x"};
	struct weir_wrapper_use use;

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		char text[32], *words[] = {text, NULL};

		snprintf(text, sizeof(text), "%s", others[i]);
		assert_false(weir_wrapper_read(words, &use));
	}
}

static void preloading_is_noticed(void **state)
{
	char env[] = "env", given[] = "LD_PRELOAD=x", away[] = "-u";
	char name[] = "LD_PRELOAD", app[] = "./app";
	char *set[] = {env, given, app, NULL};
	char *unset[] = {env, away, name, app, NULL};
	char *none[] = {env, app, given, NULL};
	struct weir_wrapper_use use;

	(void)state;
	assert_true(weir_wrapper_read(set, &use));
	assert_string_equal(use.preload, given);
	assert_true(weir_wrapper_read(unset, &use));
	assert_non_null(use.preload);
	assert_true(weir_wrapper_read(none, &use));
	assert_null(use.preload);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_understood),
		cmocka_unit_test(others_are_no_wrappers),
		cmocka_unit_test(preloading_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
