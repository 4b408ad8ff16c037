/* SPDX-License-Identifier: BSD-3-Clause */
/* The dictionary, and details walked by it. */
#include "trace/event/dictionary.h"

#include "check.h"
#include "rawmaker.h"
#include "trace/event/detail.h"

#include <errno.h>
#include <string.h>

static void calls_are_found_by_number(void **state)
{
	struct weir_dictionary *dictionary;
	const struct weir_call *call;

	assert_int_equal(weir_dictionary_parse(rawmaker_dictionary,
					       strlen(rawmaker_dictionary),
					       &dictionary), 0);
	call = weir_dictionary_call(dictionary, 23);
	assert_non_null(call);
	assert_string_equal(call->name, "pwrite");
	assert_string_equal(call->role, "write");
	assert_int_equal(call->argument_count, 4);
	assert_int_equal(call->arguments[3].kind->place, WEIR_PLACE_OFF);
	assert_false(call->has_path);
	assert_true(weir_dictionary_call(dictionary, 1)->has_path);
	assert_null(weir_dictionary_call(dictionary, 999));
	assert_null(weir_dictionary_call(dictionary, 0xffff));
	assert_null(weir_dictionary_call(NULL, 1));
	weir_dictionary_free(dictionary);
}

static void nonsense_is_refused(void **state)
{
	static const char *const texts[] = {
		"kind a\n",
		"kind fd - handle\n",
		"kind fd long handle fd\n",
		"call 1 open\n",
		"call x open err open\n",
		"call 70000 open err open\n",
		"kind a u detail hex\ncall 1 f a meta x:b\n",
		"kind a u detail hex\ncall 1 f a meta x\n",
		"call 1 f a r\ncall 1 g a r\n",
		"kind \"a u detail hex\n",
		"kind \033[2J u detail hex\n",
	};
	struct weir_dictionary *dictionary;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(weir_dictionary_parse(texts[i],
						       strlen(texts[i]),
						       &dictionary), -EBADMSG);
	assert_int_equal(weir_dictionary_parse("later words\n\n", 13,
					       &dictionary), 0);
	weir_dictionary_free(dictionary);
}

static void a_detail_that_is_cut_gives_what_is_there(void **state)
{
	struct rawmaker_detail detail = { .used = 0 };
	struct weir_dictionary *dictionary;
	struct weir_event event = { .call = 1 };
	const struct weir_call *call;

	assert_int_equal(weir_dictionary_parse(rawmaker_dictionary,
					       strlen(rawmaker_dictionary),
					       &dictionary), 0);
	call = weir_dictionary_call(dictionary, 1);
	rawmaker_number(&detail, 300);
	rawmaker_text(&detail, "path");
	rawmaker_number(&detail, 577);
	rawmaker_number(&detail, 0645);
	event.detail = detail.bytes;
	for (uint32_t len = 0; len <= detail.used; len++) {
		struct weir_detail walk;
		struct weir_value value;
		int given = 0, count = 0;

		event.detail_len = len;
		weir_detail_start(&walk, &event, call);
		while (weir_detail_next(&walk, &value)) {
			given += value.given;
			count++;
		}
		assert_int_equal(count, 3);
		if (len == detail.used)
			assert_int_equal(given, 3);
		else
			assert_true(given < 3);
	}
	weir_dictionary_free(dictionary);
}

static void hdf5_moves_what_it_was_asked_for(void **state)
{
	struct weir_event event = { .size = 800, .ret = 0 };
	struct weir_call call = { .name = "H5Dwrite", .layer = "hdf5",
				  .means.class = WEIR_MEANS_WRITE };

	assert_int_equal(weir_dictionary_moved(&call, &event), 800);
	event.ret = 300;
	call.layer = "posix";
	assert_int_equal(weir_dictionary_moved(&call, &event), 300);
	call.layer = NULL;
	assert_int_equal(weir_dictionary_moved(&call, &event), 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_are_found_by_number),
		cmocka_unit_test(nonsense_is_refused),
		cmocka_unit_test(hdf5_moves_what_it_was_asked_for),
		cmocka_unit_test(a_detail_that_is_cut_gives_what_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
