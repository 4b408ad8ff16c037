/* SPDX-License-Identifier: BSD-3-Clause */
/* A process apart answers, and may die of a question. */
#include "verify/apart.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Answers in capitals, and dies of a D. */
static void work(void *context, const void *question, void *answer)
{
	const char *from = question;
	char *to = answer;

	(void)context;
	if (*from == 'D')
		kill(getpid(), SIGKILL);
	for (; *from; from++)
		*to++ = (char)(*from & ~0x20);
}

static int ask(struct weir_apart *apart, const char *text,
	       char answer[WEIR_APART_BYTES])
{
	char question[WEIR_APART_BYTES] = { 0 };

	strcpy(question, text);
	return weir_apart_ask(apart, question, answer);
}

static void answers(void **state)
{
	struct weir_apart apart = { .work = work };
	char answer[WEIR_APART_BYTES];
	pid_t first;

	(void)state;
	assert_int_equal(ask(&apart, "abc", answer), 0);
	assert_string_equal(answer, "ABC");
	first = apart.pid;
	assert_int_equal(ask(&apart, "x", answer), 0);
	assert_string_equal(answer, "X");
	assert_int_equal(apart.pid, first);
	weir_apart_fini(&apart);
	assert_int_equal(kill(first, 0), -1);
}

static void outlives_the_other_process(void **state)
{
	struct weir_apart apart = { .work = work };
	char answer[WEIR_APART_BYTES];

	(void)state;
	assert_int_equal(ask(&apart, "D", answer), -EPIPE);
	assert_int_equal(ask(&apart, "again", answer), 0);
	assert_string_equal(answer, "AGAIN");
	weir_apart_fini(&apart);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers),
		cmocka_unit_test(outlives_the_other_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
