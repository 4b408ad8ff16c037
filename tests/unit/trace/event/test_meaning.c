/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what calls mean from a dictionary, and guesses it for old ones. */
#include "trace/event/dictionary.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

#define KINDS                                                                  \
	"kind fd - handle fd\nkind path p detail quoted\n"                     \
	"kind size - size bytes\nkind off - off bytes\n"                       \
	"kind text t detail quoted\nkind h5name t detail quoted\n"             \
	"kind err - result decimal\n"

static struct weir_dictionary *parse(const char *text)
{
	struct weir_dictionary *dictionary = NULL;

	assert_int_equal(weir_dictionary_parse(text, strlen(text),
					       &dictionary), 0);
	return dictionary;
}

static struct weir_meaning meaning_of(const char *text, uint16_t id)
{
	struct weir_dictionary *dictionary = parse(text);
	const struct weir_call *call = weir_dictionary_call(dictionary, id);
	struct weir_meaning means;

	assert_non_null(call);
	means = call->means;
	weir_dictionary_free(dictionary);
	return means;
}

/* No name tells anything of these calls. */
static void a_dictionary_tells_what_calls_mean(void **state)
{
	static const char text[] =
		KINDS "call 1 a err r fd:fd n:size at:off\n"
		      "call 2 b err r from:path to:path\n"
		      "call 3 c err r fd:fd n:size at:off\n"
		      "class write together behind off=at len=n 1 3\n"
		      "class rename name=from to=to 2\n";
	struct weir_meaning means = meaning_of(text, 1);

	assert_int_equal(means.class, WEIR_MEANS_WRITE);
	assert_int_equal(means.traits,
			 WEIR_TRAIT_TOGETHER | WEIR_TRAIT_BEHIND);
	assert_int_equal(means.off, 3);
	assert_int_equal(means.len, 2);
	assert_int_equal(means.name, 0);
	assert_int_equal(meaning_of(text, 3).class, WEIR_MEANS_WRITE);
	means = meaning_of(text, 2);
	assert_int_equal(means.class, WEIR_MEANS_RENAME);
	assert_int_equal(means.name, 1);
	assert_int_equal(means.to, 2);
}

static void what_is_told_counts_and_no_name(void **state)
{
	struct weir_meaning means = meaning_of(
		KINDS "call 1 rename err write fd:fd\nclass stat 1\n", 1);

	assert_int_equal(means.class, WEIR_MEANS_STAT);
}

static void the_first_class_counts(void **state)
{
	struct weir_meaning means = meaning_of(
		KINDS "call 1 a err r fd:fd\nclass stat 1\nclass sync 1\n", 1);

	assert_int_equal(means.class, WEIR_MEANS_STAT);
}

static void words_of_later_versions_are_passed_over(void **state)
{
	static const char text[] =
		KINDS "call 1 a err r fd:fd\ncall 2 read err read fd:fd\n"
		      "class sync wish via=fd off=gone looks 1 60000\n"
		      "class wish 2\n";
	struct weir_meaning means = meaning_of(text, 1);

	assert_int_equal(means.class, WEIR_MEANS_SYNC);
	assert_int_equal(means.traits, WEIR_TRAIT_LOOKS);
	assert_int_equal(means.off, 0);
	assert_int_equal(meaning_of(text, 2).class, WEIR_MEANS_OTHER);
}

static void nonsense_is_refused(void **state)
{
	static const char *const texts[] = {
		"class\n", "class stat 1x\n", "class stat 65280\n",
	};
	struct weir_dictionary *dictionary;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_true(weir_dictionary_parse(texts[i], strlen(texts[i]),
						  &dictionary) < 0);
}

/* As traces of version 1 have them. */
static void without_classes_names_and_roles_tell(void **state)
{
	static const char *const calls[] = {
		[WEIR_MEANS_STAT] = "fstat err sync fd:fd",
		[WEIR_MEANS_SYNC] = "sync err meta",
		[WEIR_MEANS_WRITE] = "pwrite err write fd:fd n:size at:off",
		[WEIR_MEANS_RENAME] = "renameat2 err meta from:path to:path",
		[WEIR_MEANS_UNLINK] = "shm_unlink err meta name:text",
		[WEIR_MEANS_TRUNCATE] = "ftruncate err sync fd:fd len:off",
		[WEIR_MEANS_SUBMIT] = "MPI_File_iread_at err submit fd:fd",
		[WEIR_MEANS_COMPLETE] = "uring_done err done fd:fd",
		[WEIR_MEANS_OTHER] = "chmod err meta path:path",
	};

	for (int i = 0; i < WEIR_MEANS_COUNT; i++) {
		char text[400];

		if (i >= (int)(sizeof(calls) / sizeof(*calls)) || !calls[i])
			continue;
		snprintf(text, sizeof(text), KINDS "call 1 %s\n", calls[i]);
		assert_int_equal(meaning_of(text, 1).class, i);
	}
}

static void arguments_are_guessed_too(void **state)
{
	struct weir_meaning means = meaning_of(
		KINDS "call 1 rename err meta from:path to:path\n", 1);

	assert_int_equal(means.name, 1);
	assert_int_equal(means.to, 2);
	means = meaning_of(KINDS "call 1 truncate err meta path:path len:off\n",
			   1);
	assert_int_equal(means.name, 1);
	assert_int_equal(means.len, 2);
	assert_int_equal(means.off, 0);
	means = meaning_of(KINDS "layer hdf5\n"
				 "call 1 H5Adelete err meta id:fd n:h5name\n",
			   1);
	assert_int_equal(means.name, 2);
	assert_int_equal(means.traits,
			 WEIR_TRAIT_ATTRIBUTE | WEIR_TRAIT_TOGETHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dictionary_tells_what_calls_mean),
		cmocka_unit_test(what_is_told_counts_and_no_name),
		cmocka_unit_test(the_first_class_counts),
		cmocka_unit_test(words_of_later_versions_are_passed_over),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(without_classes_names_and_roles_tell),
		cmocka_unit_test(arguments_are_guessed_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
