/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints that were asked for, and what became of them. */
#include "analyse/facts/hints.h"

#include "check.h"
#include "spec/findings.h"
#include "trace/layout/trace_layout.h"

#include <string.h>

static const struct weir_kind asked = { "masked", "hints", WEIR_WIRE_STRING,
					WEIR_PLACE_DETAIL, "detail" };
static const struct weir_kind made = { "mhints", "hints", WEIR_WIRE_STRING,
				       WEIR_PLACE_DETAIL, "detail" };
static const struct weir_argument arguments[] = { { "asked", &asked },
						  { "hints", &made } };
static const struct weir_call call = {
	.name = "MPI_File_set_view", .arguments = arguments,
	.argument_count = 2,
};

struct told {
	struct weir_hints hints;
	struct weir_clues clues;
};

static void put(struct told *told, uint32_t file, const char *question,
		const char *answer, const char *mpi)
{
	uint8_t detail[256];
	size_t len = strlen(question), more = strlen(answer);
	struct weir_callview view = { .file = file, .event = { .proc = 1 } };

	detail[0] = (uint8_t)len;
	memcpy(detail + 1, question, len);
	detail[len + 1] = (uint8_t)more;
	memcpy(detail + len + 2, answer, more);
	view.event.detail = detail;
	view.event.detail_len = (uint32_t)(len + more + 2);
	assert_int_equal(
		weir_hints_take(&told->hints, &told->clues, &view, &call, mpi),
		0);
}

static void forget(struct told *told)
{
	weir_hints_fini(&told->hints);
	weir_clues_fini(&told->clues);
}

/* How many of the hints are told as ignored or changed. */
static size_t wrong(const char *question, const char *answer, const char *mpi)
{
	struct told told = { 0 };
	size_t count;

	put(&told, 1, question, answer, mpi);
	count = told.hints.count;
	assert_true(!count || told.clues.list[0].count == count);
	forget(&told);
	return count;
}

static void values_mean_the_same_however_they_are_written(void **state)
{
	static const struct {
		const char *a, *b;
		int agree;
	} rows[] = {
		{ "4096", "4096", 1 },	    { "4096", "4K", 1 },
		{ "0x1000", "4096", 1 },    { "04096", "4096", 1 },
		{ "4096", "4097", 0 },	    { "ENABLE", "enable", 1 },
		{ "true", "enable", 1 },    { "1", "true", 1 },
		{ "true", "disable", 0 },   { "no", "0", 1 },
		{ "enable", "automatic", 0 }, { "0x", "0", 0 },
		{ "*:1", "*:1", 1 },	    { "", "", 1 },
		{ "", "0", 0 },		    { "-1", "-1", 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (weir_hints_agree(rows[i].a, rows[i].b) != rows[i].agree)
			fail_msg("%s and %s", rows[i].a, rows[i].b);
}

static void what_is_not_told_was_ignored(void **state)
{
	assert_int_equal(wrong("a=1;b=2", "a=1", NULL), 1);
	assert_int_equal(wrong("a=1;b=2", "b=3;a=1", NULL), 1);
	assert_int_equal(wrong("a=1;b=2", "", NULL), 2);
	assert_int_equal(wrong("a=1;b=2", "b= 2 ;a=1;c=7", NULL), 0);
	assert_int_equal(wrong("", "a=1", NULL), 0);
	assert_int_equal(wrong("a=1", "aa=1;ba=1", NULL), 1);
}

static void doubts_are_for_the_mpi(void **state)
{
	assert_int_equal(wrong("a=automatic;b=Automatic", "a=7", NULL), 0);
	assert_int_equal(wrong("nc_a=1;pnetcdf_b=2", "", NULL), 0);
	assert_int_equal(wrong("a=1", "b=2;...", NULL), 0);
	assert_int_equal(wrong("a=1", "a=2;...", NULL), 1);
	assert_int_equal(wrong("cb_nodes=1", "", "Open MPI v4.1.4"), 0);
	assert_int_equal(wrong("cb_nodes=1", "", "MPICH"), 1);
	assert_int_equal(wrong("cb_nodes=1", "cb_nodes=2", "Open MPI"), 1);
	assert_int_equal(wrong("cb_size=1", "", "Open MPI v4.1.4"), 1);
}

static void no_text_is_too_odd(void **state)
{
	static const char *const odd[] = { ";", "=", "=;=", "a", "...", ";;a;",
					   "=x;" };

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		assert_int_equal(wrong(odd[i], odd[i], NULL), 0);
	assert_int_equal(wrong("a=;b==", "a=;b==", NULL), 0);
}

static void parts_add_up(void **state)
{
	struct told one = { 0 }, other = { 0 };

	put(&one, 5, "a=1;b=1", "b=2", NULL);
	put(&one, 5, "b=1", "b=2", NULL);
	put(&other, 3, "b=1", "b=2", NULL);
	put(&other, 9, "b=1", "", NULL);
	assert_int_equal(weir_hints_merge(&one.hints, &other.hints), 0);
	weir_hints_sort(&one.hints);
	assert_int_equal(one.hints.count, 3);
	assert_string_equal(one.hints.list[0].name, "b");
	assert_string_equal(one.hints.list[0].asked, "1");
	assert_string_equal(one.hints.list[0].got, "2");
	assert_int_equal(one.hints.list[0].count, 3);
	assert_int_equal(one.hints.list[0].files, 2);
	assert_int_equal(one.hints.list[0].file, 3);
	assert_string_equal(one.hints.list[1].name, "a");
	assert_null(one.hints.list[2].got);
	forget(&one);
	forget(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_mean_the_same_however_they_are_written),
		cmocka_unit_test(what_is_not_told_was_ignored),
		cmocka_unit_test(doubts_are_for_the_mpi),
		cmocka_unit_test(no_text_is_too_odd),
		cmocka_unit_test(parts_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
