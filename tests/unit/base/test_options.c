/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line parser, over a table of its own. */
#include "base/options.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { OUTPUT, QUIET, BUFFER, LEVEL, FORMAT, TIME, SKIP, WHERE, CSV };

static const char *const formats[] = { "text", "csv", NULL };
static const struct weir_option options[] = {
	[OUTPUT] = { .name = "output", .letter = 'o',
		     .type = WEIR_OPTION_TEXT, .argument = "DIR" },
	[QUIET] = { .name = "quiet", .letter = 'q' },
	[BUFFER] = { .name = "buffer", .type = WEIR_OPTION_SIZE,
		     .argument = "SIZE", .fallback = "8M" },
	[LEVEL] = { .name = "level", .letter = 'l',
		    .type = WEIR_OPTION_NUMBER, .argument = "N",
		    .fallback = "3" },
	[FORMAT] = { .name = "format", .type = WEIR_OPTION_CHOICE,
		     .argument = "FORMAT", .fallback = "text",
		     .choices = formats },
	[TIME] = { .name = "time", .type = WEIR_OPTION_SPAN,
		   .argument = "A-B" },
	[SKIP] = { .name = "skip", .type = WEIR_OPTION_LIST,
		   .argument = "WORD" },
	[WHERE] = { .name = "where", .type = WEIR_OPTION_MAYBE,
		    .argument = "DIR" },
	[CSV] = { .name = "csv", .type = WEIR_OPTION_SHORT,
		  .fallback = "csv", .stands_for = FORMAT },
};
static const struct weir_verb verb = {
	.name = "verb",
	.usage = "[OPTION]... FILE [FILE]",
	.options = options,
	.option_count = sizeof(options) / sizeof(*options),
	.min_operands = 1,
	.max_operands = 2,
};

/* argv of the test at hand; parsing overwrites it */
static char *words[16];
static struct weir_options parsed;

#define PARSE(...) parse(&verb, (const char *[]){ "verb", __VA_ARGS__, NULL })

static int parse(const struct weir_verb *table, const char **argv)
{
	int argc = 0;

	weir_options_fini(&parsed);
	for (; argv[argc]; argc++)
		words[argc] = (char *)argv[argc];
	words[argc] = NULL;
	return weir_options_parse(&parsed, table, argc, words);
}

static int forget(void **state)
{
	weir_options_fini(&parsed);
	return 0;
}

static void defaults_hold(void **state)
{
	uint64_t from, to;

	assert_int_equal(PARSE("file"), 0);
	assert_null(weir_options_text(&parsed, OUTPUT));
	assert_false(weir_options_flag(&parsed, QUIET));
	assert_int_equal(weir_options_size(&parsed, BUFFER), 8 << 20);
	assert_int_equal(weir_options_number(&parsed, LEVEL), 3);
	assert_int_equal(weir_options_choice(&parsed, FORMAT), 0);
	assert_null(weir_options_item(&parsed, SKIP, 0));
	weir_options_span(&parsed, TIME, &from, &to);
	assert_true(from == 0 && to == UINT64_MAX);
}

static void every_spelling_is_read(void **state)
{
	static const char *const spelled[][2] = {
		{ "--output", "dir" }, { "-o", "dir" },
		{ "--output=dir", "-q" }, { "-odir", "-q" },
		{ "-qo", "dir" }, { "-qodir", "--quiet" },
	};

	for (size_t i = 0; i < sizeof(spelled) / sizeof(*spelled); i++) {
		assert_int_equal(PARSE(spelled[i][0], spelled[i][1], "file"),
				 0);
		assert_string_equal(weir_options_text(&parsed, OUTPUT), "dir");
		assert_int_equal(weir_options_flag(&parsed, QUIET), i >= 2);
		assert_string_equal(parsed.operands[0], "file");
		assert_int_equal(parsed.operand_count, 1);
	}
}

static void values_have_types(void **state)
{
	uint64_t from, to;

	assert_int_equal(PARSE("--buffer", "64K", "-l12", "--format=csv",
			       "--time=1-2", "file"), 0);
	assert_int_equal(weir_options_size(&parsed, BUFFER), 65536);
	assert_int_equal(weir_options_number(&parsed, LEVEL), 12);
	assert_int_equal(weir_options_choice(&parsed, FORMAT), 1);
	weir_options_span(&parsed, TIME, &from, &to);
	assert_true(from == 1000000000 && to == 2000000000);
}

static void a_short_form_is_another_option(void **state)
{
	assert_int_equal(PARSE("--csv", "file"), 0);
	assert_int_equal(weir_options_choice(&parsed, FORMAT), 1);
	assert_true(weir_options_chose(&parsed, FORMAT, "csv"));
	assert_int_equal(PARSE("--csv", "--format", "text", "file"), 0);
	assert_true(weir_options_chose(&parsed, FORMAT, "text"));
	assert_int_equal(PARSE("--csv=csv", "file"), -EINVAL);
	assert_non_null(strstr(parsed.error, "takes no value"));
}

static void the_last_value_wins_but_lists_grow(void **state)
{
	assert_int_equal(PARSE("-oa", "--skip=x", "-ob", "--skip", "y", "f"),
			 0);
	assert_string_equal(weir_options_text(&parsed, OUTPUT), "b");
	assert_string_equal(weir_options_item(&parsed, SKIP, 0), "x");
	assert_string_equal(weir_options_item(&parsed, SKIP, 1), "y");
	assert_null(weir_options_item(&parsed, SKIP, 2));
}

static void operands_are_gathered(void **state)
{
	assert_int_equal(PARSE("one", "-q", "--", "-q"), 0);
	assert_int_equal(parsed.operand_count, 2);
	assert_string_equal(parsed.operands[0], "one");
	assert_string_equal(parsed.operands[1], "-q");
	assert_null(parsed.operands[2]);
	assert_int_equal(PARSE("-"), 0);
	assert_string_equal(parsed.operands[0], "-");
}

static void a_command_keeps_its_options(void **state)
{
	struct weir_verb run = verb;

	run.stops = true;
	run.max_operands = 9;
	assert_int_equal(parse(&run, (const char *[]){ "run", "-q", "ls",
						       "--", "-o", NULL }), 0);
	assert_int_equal(parsed.operand_count, 3);
	assert_string_equal(parsed.operands[1], "--");
	assert_string_equal(parsed.operands[2], "-o");
	assert_null(weir_options_text(&parsed, OUTPUT));
}

static void a_value_may_be_missing(void **state)
{
	assert_int_equal(PARSE("file"), 0);
	assert_null(weir_options_text(&parsed, WHERE));
	assert_int_equal(PARSE("--where", "file"), 0);
	assert_string_equal(weir_options_text(&parsed, WHERE), "");
	assert_string_equal(parsed.operands[0], "file");
	assert_int_equal(PARSE("--where=here", "file"), 0);
	assert_string_equal(weir_options_text(&parsed, WHERE), "here");
	assert_int_equal(PARSE("--where=", "file"), 0);
	assert_string_equal(weir_options_text(&parsed, WHERE), "");
}

static void help_needs_no_operands(void **state)
{
	assert_int_equal(PARSE("--help"), 0);
	assert_true(parsed.help);
	assert_int_equal(PARSE("-qh"), 0);
	assert_true(parsed.help);
}

static void mistakes_are_told(void **state)
{
	static const struct {
		const char *word;
		const char *said;
	} rows[] = {
		{ "--outptu=x", "did you mean --output?" },
		{ "--colour", "unknown option --colour" },
		{ "-x", "unknown option -x" },
		{ "--quiet=yes", "--quiet takes no value" },
		{ "--output", "--output needs DIR after it" },
		{ "--output=", "not an empty word" },
		{ "--buffer=big", "not a size such as" },
		{ "--level=1e9", "not a whole number" },
		{ "--level=99999999999999999999", "too large" },
		{ "--format=xml", "does not take xml, only text" },
		{ "--time=2-1", "not two times in order" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(PARSE("file", rows[i].word), -EINVAL);
		assert_non_null(strstr(parsed.error, rows[i].said));
	}
}

static void operands_are_counted(void **state)
{
	assert_int_equal(PARSE("-q"), -EINVAL);
	assert_non_null(strstr(parsed.error, verb.usage));
	assert_int_equal(PARSE("a", "b", "c"), -EINVAL);
	assert_non_null(strstr(parsed.error, "`c'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(defaults_hold, forget),
		cmocka_unit_test_teardown(every_spelling_is_read, forget),
		cmocka_unit_test_teardown(values_have_types, forget),
		cmocka_unit_test_teardown(a_short_form_is_another_option,
					  forget),
		cmocka_unit_test_teardown(the_last_value_wins_but_lists_grow,
					  forget),
		cmocka_unit_test_teardown(operands_are_gathered, forget),
		cmocka_unit_test_teardown(a_command_keeps_its_options,
					  forget),
		cmocka_unit_test_teardown(a_value_may_be_missing, forget),
		cmocka_unit_test_teardown(help_needs_no_operands, forget),
		cmocka_unit_test_teardown(mistakes_are_told, forget),
		cmocka_unit_test_teardown(operands_are_counted, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
