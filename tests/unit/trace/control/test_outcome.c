/* SPDX-License-Identifier: BSD-3-Clause */
/* PLAN blocks: settings and what became of them, put together. */
#include "trace/control/outcome.h"

#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct weir_outcome *parse(const char *text)
{
	struct weir_outcome *outcome = NULL;

	assert_int_equal(weir_outcome_take(&outcome, text, strlen(text)), 0);
	return outcome;
}

static const char begun[] = "plan=00000000000000ab\n"
			    "setting=cb_nodes\nlayer=7\nvalue=2\n"
			    "setting=chunk\nlayer=4\nvalue=8,8\nfile=*.h5\n"
			    "dataset=/a%3Db\n";

/* The settings come early, counts later, and what is known stays. */
static void blocks_of_a_node_are_one(void **state)
{
	static const char later[] = "outcome=1 4 0 0 0 0 1 0 0\n"
				    "of=5\nwhy=no room\n"
				    "outcome=1 3 0 0 9 0 0 0 0\n";
	struct weir_outcome *outcome = parse(begun);

	assert_int_equal(weir_outcome_parse(outcome, later, strlen(later)), 0);
	assert_int_equal(weir_outcome_parse(outcome, begun, strlen(begun)), 0);
	assert_true(outcome->check == 0xab);
	assert_int_equal(outcome->count, 2);
	assert_string_equal(outcome->settings[0].name, "cb_nodes");
	assert_null(outcome->settings[0].file);
	assert_string_equal(outcome->settings[1].file, "*.h5");
	assert_string_equal(outcome->settings[1].dataset, "/a=b");
	assert_int_equal(outcome->settings[1].target, 4);
	assert_int_equal(weir_outcome_tries(&outcome->settings[0]), 0);
	assert_int_equal(outcome->settings[1].counts[0], 4);
	assert_int_equal(outcome->settings[1].counts[3], 9);
	assert_int_equal(weir_outcome_tries(&outcome->settings[1]), 14);
	assert_string_equal(outcome->settings[1].why, "no room");
	assert_int_equal(outcome->settings[1].verdict, 5);
	weir_outcome_free(outcome);
}

static void nodes_are_added(void **state)
{
	struct weir_outcome *one = parse("outcome=0 2 0 0 0 0 0 0 1\n"
					 "of=7\nwhy=first\n");
	struct weir_outcome *two = parse("plan=1\nunplanned=3\nsetting=x\n"
					 "outcome=0 1 0 0 0 0 0 0 1\n"
					 "of=7\nwhy=second\n");
	struct weir_outcome *other = parse("plan=2\nunplanned=4\nsetting=y\n"
					   "outcome=0 9 9 9 9 9 9 9 9\n");
	struct weir_outcome *sum = NULL;

	assert_int_equal(weir_outcome_add(&sum, NULL), 0);
	assert_null(sum);
	assert_int_equal(weir_outcome_add(&sum, one), 0);
	assert_int_equal(weir_outcome_add(&sum, two), 0);
	assert_false(sum->mixed);
	assert_int_equal(weir_outcome_add(&sum, other), 0);
	assert_true(sum->mixed); /* by another plan: not added */
	assert_true(sum->check == 1);
	assert_int_equal(sum->unplanned, 7);
	assert_string_equal(sum->settings[0].name, "x");
	assert_int_equal(sum->settings[0].counts[0], 3);
	assert_int_equal(sum->settings[0].counts[7], 2);
	assert_string_equal(sum->settings[0].why, "first");
	weir_outcome_free(sum);
	weir_outcome_free(one);
	weir_outcome_free(two);
	weir_outcome_free(other);
}

/* Of a file that anybody may have written. */
static void nonsense_is_refused(void **state)
{
	static const char *const bad[] = {
		"value=2\n",		      /* of no setting */
		"outcome=112 1 1 1 1 1 1 1 1\n", /* there are not so many */
		"outcome=0 1 2 3\n",
		"outcome=-1 1 1 1 1 1 1 1 1\n",
		"outcome=many\n",
	};
	struct weir_outcome *outcome = weir_outcome_new();
	char many[113 * 16] = "";

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(weir_outcome_parse(outcome, bad[i],
						    strlen(bad[i])),
				 -EBADMSG);
	weir_outcome_free(outcome);
	outcome = weir_outcome_new();
	for (int i = 0; i < 113; i++)
		strcat(many, "setting=s\n");
	assert_int_equal(weir_outcome_parse(outcome, many, strlen(many)),
			 -EBADMSG);
	weir_outcome_free(outcome);
	/* what a later version says, and an example of no verdict */
	outcome = parse("plan=1\nnew=thing\nwhy=lost\noutcome=0 1 0 0 0 0 0 0 "
			"0\nof=99\nwhy=nothing\n");
	assert_string_equal(outcome->settings[0].why, "");
	weir_outcome_free(outcome);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_of_a_node_are_one),
		cmocka_unit_test(nodes_are_added),
		cmocka_unit_test(nonsense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
