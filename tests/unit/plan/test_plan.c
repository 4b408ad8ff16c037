/* SPDX-License-Identifier: BSD-3-Clause */
/* What plans in XML become, as those see it who get them. */
#include "plan/flatplan.h"
#include "plan/plan.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct weir_plan *read_good(const char *text)
{
	struct weir_plan *plan = NULL;

	assert_int_equal(weir_plan_read_bytes("p.xml", text, strlen(text),
					      &plan, stderr), 0);
	return plan;
}

/* All that is said of a plan that cannot be meant. */
static char *complaints_of(const char *text)
{
	struct weir_plan *plan = NULL;
	char *said = NULL;
	size_t length;
	FILE *to = open_memstream(&said, &length);

	assert_int_equal(weir_plan_read_bytes("p.xml", text, strlen(text),
					      &plan, to), -EINVAL);
	assert_null(plan);
	fclose(to);
	return said;
}

static void values_become_numbers(void **state)
{
	struct weir_plan *plan = read_good(
		"<plan><alignment>4K, 1M</alignment>"
		"<chunk_cache file='*.h5'>521,2M,0.25</chunk_cache>"
		"<fill_time opt-in='yes'>never</fill_time>"
		"<mdc_evictions>off</mdc_evictions>"
		"<page_buffer_size>64K</page_buffer_size></plan>");
	const struct weir_plan_item *item = plan->items;

	assert_int_equal(plan->count, 5);
	assert_int_equal(item[0].param->param, WEIR_PARAM_ALIGNMENT);
	assert_int_equal(item[0].count, 2);
	assert_int_equal(item[0].number[0], 4096);
	assert_int_equal(item[0].number[1], 1048576);
	assert_string_equal(item[0].value, "4096,1048576");
	assert_string_equal(item[0].file, "");
	assert_int_equal(item[1].count, 2);
	assert_int_equal(item[1].number[1], 2097152);
	assert_true(item[1].real == 0.25);
	assert_string_equal(item[1].file, "*.h5");
	assert_int_equal(item[2].number[0], 1); /* H5D_FILL_TIME_NEVER */
	assert_int_equal(item[3].number[0], 0);
	assert_int_equal(item[4].count, 1);
	weir_plan_free(plan);
}

static void a_scope_holds_for_what_is_in_it(void **state)
{
	struct weir_plan *plan = read_good(
		"<Parameters><for file='a*' force='yes'>"
		"<chunk dataset='/x'>4</chunk><cb_nodes>2</cb_nodes></for>"
		"<cb_nodes FileName='b?'>3</cb_nodes>"
		"<chunk VariableName='g/y'>5</chunk></Parameters>");
	const struct weir_plan_item *item = plan->items;

	assert_string_equal(item[0].file, "a*");
	assert_string_equal(item[0].dataset, "/x");
	assert_int_equal(item[0].flags, WEIR_PLAN_FORCE);
	assert_string_equal(item[1].file, "a*");
	assert_string_equal(item[1].dataset, "");
	assert_string_equal(item[2].file, "*b\\?*");
	assert_int_equal(item[2].flags, 0);
	assert_string_equal(item[3].dataset, "*/g/y");
	weir_plan_free(plan);
}

/* Looked at by the reader of processes. */
static void flat_is_the_same(void **state)
{
	struct weir_plan *plan = read_good(
		"<plan><cb_nodes file='a'>2</cb_nodes>"
		"<fcoll>two_phase</fcoll>"
		"<transfer_mode opt-in='yes' proof='t'>collective"
		"</transfer_mode></plan>");
	struct weir_plan_item *proven = &plan->items[2];
	const struct weir_plan_setting *setting;
	struct weir_flatplan flat;
	void *bytes;
	size_t size;

	proven->sites = calloc(1, sizeof(*proven->sites));
	proven->sites[0] = (struct weir_plan_site){ 5, 6 };
	proven->site_count = 1;
	proven->ranks = 4;
	assert_int_equal(weir_plan_flatten(plan, &bytes, &size), 0);
	weir_plan_free(plan);
	assert_int_equal(weir_flatplan_open(bytes, size, &flat), 0);
	assert_int_equal(flat.count, 3);
	setting = weir_flatplan_next(&flat, WEIR_PLAN_HINT, "/d/a", NULL, NULL);
	assert_string_equal(weir_flatplan_text(&flat, setting->name),
			    "cb_nodes");
	assert_string_equal(weir_flatplan_text(&flat, setting->value), "2");
	assert_int_equal(setting->number[0], 2);
	setting = weir_flatplan_next(&flat, WEIR_PLAN_ENVIRONMENT, NULL, NULL,
				     NULL);
	assert_string_equal(weir_flatplan_text(&flat, setting->value),
			    "OMPI_MCA_fcoll=two_phase");
	setting =
		weir_flatplan_next(&flat, WEIR_PLAN_TRANSFER, "/f", "/d", NULL);
	assert_int_equal(setting->flags, WEIR_PLAN_PROVEN);
	assert_int_equal(setting->ranks, 4);
	assert_true(weir_flatplan_has_site(&flat, setting, 5, 6));
	free(bytes);
}

static void too_many_sites_are_refused(void **state)
{
	struct weir_plan *plan = read_good(
		"<plan><transfer_mode opt-in='yes' proof='t'>collective"
		"</transfer_mode></plan>");
	void *bytes;
	size_t size;

	plan->items[0].sites = calloc(WEIR_PLAN_SITES + 1,
				      sizeof(struct weir_plan_site));
	plan->items[0].site_count = WEIR_PLAN_SITES + 1;
	assert_int_equal(weir_plan_flatten(plan, &bytes, &size), -E2BIG);
	plan->items[0].site_count = WEIR_PLAN_SITES;
	assert_int_equal(weir_plan_flatten(plan, &bytes, &size), 0);
	free(bytes);
	weir_plan_free(plan);
}

static void all_is_complained_of_with_its_line(void **state)
{
	char *said = complaints_of("<plan>\n<cb_nodes>0</cb_nodes>\n\n"
				   "<cb_nods>1</cb_nods><!--\n-->\n"
				   "<fcoll\nfile='x'>dynamic</fcoll></plan>");

	assert_string_equal(said,
		"p.xml:2: cb_nodes: 0 is out of range; it goes from 1 to "
		"1048576\n"
		"p.xml:4: unknown parameter `cb_nods'; did you mean "
		"`cb_nodes'?\n"
		"p.xml:6: fcoll is a variable of the whole program; take the "
		"file away\n");
	free(said);
}

/* Every row of the table has what others rely on. */
static void every_row_is_whole(void **state)
{
	for (int i = 0; i < WEIR_PARAM_ROWS; i++) {
		const struct weir_param_row *row = &weir_params[i];

		assert_true(row->least >= 1 && row->least <= row->most &&
			    row->most <= WEIR_PLAN_NUMBERS);
		assert_true(row->target >= WEIR_PLAN_ENVIRONMENT &&
			    row->target <= WEIR_PLAN_STREAM);
		/* an info is asked for its key by the parameter's name */
		if (row->target == WEIR_PLAN_HINT ||
		    row->target == WEIR_PLAN_PNETCDF)
			assert_string_equal(row->name, row->via);
		assert_true(*row->about && *row->seen && *row->initial);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_become_numbers),
		cmocka_unit_test(a_scope_holds_for_what_is_in_it),
		cmocka_unit_test(flat_is_the_same),
		cmocka_unit_test(too_many_sites_are_refused),
		cmocka_unit_test(all_is_complained_of_with_its_line),
		cmocka_unit_test(every_row_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
