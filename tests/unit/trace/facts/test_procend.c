/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests how the end of a process is told, and seen while nobody waited. */
#include "trace/facts/procend.h"
#include "trace/facts/procinfo.h"
#include "trace/facts/procstat.h"
#include "trace/facts/props.h"

#include "check.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is written of an end is read again. */
static struct weir_procinfo written(struct weir_procend end)
{
	struct weir_procinfo info;
	struct weir_props props;

	weir_props_init(&props);
	assert_false(weir_props_add_text(&props, "state", "cut"));
	assert_false(weir_procend_put(&end, &props));
	assert_false(weir_procinfo_parse(props.text, props.used, &info));
	weir_props_fini(&props);
	return info;
}

static void what_is_written_is_read(void **state)
{
	static const struct {
		struct weir_procend end;
		int killed;
		const char *words;
	} cases[] = {
		{ { WEIR_PROCEND_UNTOLD, 0 }, 0, NULL },
		{ { WEIR_PROCEND_UNKNOWN, 0 },
		  1,
		  "was killed or crashed (signal not known)" },
		{ { WEIR_PROCEND_EXIT, 7 }, 0, NULL },
		{ { WEIR_PROCEND_EXEC, 0 }, 0, NULL },
		{ { WEIR_PROCEND_SIGNAL, SIGKILL },
		  1,
		  "was killed by SIGKILL" },
		{ { WEIR_PROCEND_CORE, SIGSEGV },
		  1,
		  "was killed by SIGSEGV (core dumped)" },
		{ { WEIR_PROCEND_SIGNAL, 40 }, 1, "was killed by signal 40" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct weir_procinfo info = written(cases[i].end);
		char words[WEIR_PROCEND_WORDS];

		assert_int_equal(info.end.how, cases[i].end.how);
		assert_int_equal(info.end.number, cases[i].end.number);
		assert_int_equal(weir_procinfo_was_killed(&info),
				 cases[i].killed);
		if (cases[i].words)
			assert_string_equal(
				weir_procend_words(&info.end, words),
				cases[i].words);
		weir_procinfo_fini(&info);
	}
}

static void strange_words_tell_nothing(void **state)
{
	assert_int_equal(weir_procend_parse("vanished 3").how,
			 WEIR_PROCEND_UNTOLD);
	assert_int_equal(weir_procend_parse("signal").how, WEIR_PROCEND_UNTOLD);
	assert_int_equal(weir_procend_parse("").how, WEIR_PROCEND_UNTOLD);
}

/* As a collector sees children of others, that nobody has waited for yet. */
static void who_was_not_waited_for_tells(void **state)
{
	pid_t child = fork();
	int status = -1;
	uint64_t start;
	siginfo_t info;

	if (!child) {
		pause();
		_exit(0);
	}
	start = weir_procstat_start((uint32_t)child);
	assert_int_equal(weir_procstat_look((uint32_t)child, start, &status),
			 WEIR_PROCSTAT_RUNS);
	kill(child, SIGKILL);
	assert_false(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
	assert_int_equal(weir_procstat_look((uint32_t)child, start, &status),
			 WEIR_PROCSTAT_ENDED);
	assert_int_equal(weir_procend_of(status).number, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(weir_procstat_look((uint32_t)child, start, &status),
			 WEIR_PROCSTAT_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(strange_words_tell_nothing),
		cmocka_unit_test(who_was_not_waited_for_tells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
