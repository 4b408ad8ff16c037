/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs in launchers' command lines. */
#include "launch/programs/launcher.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_WORDS 40

static char words[2048];

/* A line of words, separated by blanks. */
static char **split(const char *text, char **line)
{
	char *rest = strcpy(words, text), *word;
	int n = 0;

	while ((word = strsep(&rest, " ")))
		line[n++] = word;
	line[n] = NULL;
	return line;
}

static char *join(char **line, char *text)
{
	*text = '\0';
	for (; *line; line++) {
		strcat(text, *line);
		if (line[1])
			strcat(text, " ");
	}
	return text;
}

static const struct {
	const char *given;
	const char *made; /* NULL: it cannot be told */
} lines[] = {
	{ "mpirun.openmpi -n 4 ./app", "mpirun.openmpi -n 4 W X ./app" },
	{ "mpirun.openmpi ./app -n 4", "mpirun.openmpi W X ./app -n 4" },
	{ "orterun --np 2 --mca io ompio -x A=1 ./a b",
	  "orterun --np 2 --mca io ompio -x A=1 W X ./a b" },
	{ "orterun -n 1 ./a : -n 2 ./b c",
	  "orterun -n 1 W X ./a : -n 2 W X ./b c" },
	{ "orterun --oversubscribe -np 2 -- ./a",
	  "orterun --oversubscribe -np 2 -- W X ./a" },
	{ "orterun --unheard-of 3 ./a", NULL },
	{ "orterun --app file", NULL },
	{ "mpiexec.hydra -genv A 1 -ppn 2 -n 4 ./a -f",
	  "mpiexec.hydra -genv A 1 -ppn 2 -n 4 W X ./a -f" },
	{ "mpiexec.hydra -env A 1 -n 1 ./a : -n 1 ./b",
	  "mpiexec.hydra -env A 1 -n 1 W X ./a : -n 1 W X ./b" },
	{ "mpiexec.hydra -configfile x", NULL },
	{ "srun -n4 -N 2 --mem=4G ./a", "srun -n4 -N 2 --mem=4G W X ./a" },
	{ "srun --ntasks 4 --label ./a --ntasks",
	  "srun --ntasks 4 --label W X ./a --ntasks" },
	{ "srun -ln 4 ./a", "srun -ln 4 W X ./a" },
	{ "srun -lvn4 ./a", "srun -lvn4 W X ./a" },
	{ "srun --kill-on-bad-exit=1 ./a",
	  "srun --kill-on-bad-exit=1 W X ./a" },
	{ "srun --multi-prog conf", NULL },
	{ "srun --odd=1 ./a", NULL },
	{ "aprun -n 4 -N 2 -cc cpu ./a : -n 1 ./b",
	  "aprun -n 4 -N 2 -cc cpu W X ./a : -n 1 W X ./b" },
	{ "jsrun -n4 -a 1 --smpiargs=-gpu ./a",
	  "jsrun -n4 -a 1 --smpiargs=-gpu W X ./a" },
};

static void programs_are_found(void **state)
{
	static char *prefix[] = { "W", "X", NULL };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		char *given[MOST_WORDS], text[2048], **made = NULL;
		const char *word = NULL;
		const struct weir_launcher *launcher;
		int err;

		split(lines[i].given, given);
		launcher = weir_launcher_find(given[0]);
		assert_non_null(launcher);
		err = weir_launcher_prefix(launcher, given, prefix, &made,
					   &word);
		if (!lines[i].made) {
			assert_int_equal(err, -ENOTSUP);
			assert_int_equal(word[0], '-');
			continue;
		}
		assert_int_equal(err, 0);
		assert_string_equal(join(made, text), lines[i].made);
		free(made);
	}
}

static void a_line_without_a_program_is_told(void **state)
{
	static char *prefix[] = { "W", NULL };
	char *given[MOST_WORDS], **made;
	const char *word;

	split("orterun -n 4", given);
	assert_int_equal(weir_launcher_prefix(weir_launcher_find("orterun"),
					      given, prefix, &made, &word),
			 -ENOEXEC);
	split("orterun -n 1 ./a :", given);
	assert_int_equal(weir_launcher_prefix(weir_launcher_find("orterun"),
					      given, prefix, &made, &word),
			 -ENOEXEC);
}

static void launchers_are_known_by_their_files(void **state)
{
	assert_null(weir_launcher_find("/bin/sh"));
	assert_null(weir_launcher_find("no-such-program"));
	assert_string_equal(weir_launcher_find("/opt/x/srun")->name, "srun");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_found),
		cmocka_unit_test(a_line_without_a_program_is_told),
		cmocka_unit_test(launchers_are_known_by_their_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
