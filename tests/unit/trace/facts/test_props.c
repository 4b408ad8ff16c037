/* SPDX-License-Identifier: BSD-3-Clause */
/* Key=value texts: any bytes go in and come out again. */
#include "trace/facts/props.h"

#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void any_value_comes_back(void **state)
{
	struct weir_props props;
	struct weir_props_walk walk;
	struct weir_props_line line;
	char all[256], back[300];

	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	weir_props_init(&props);
	assert_int_equal(weir_props_add(&props, "all", all, 256), 0);
	assert_int_equal(weir_props_add(&props, "none", "", 0), 0);
	assert_int_equal(weir_props_add_number(&props, "n", UINT64_MAX), 0);
	weir_props_start(&walk, props.text, props.used);
	assert_int_equal(weir_props_next(&walk, &line), 1);
	assert_true(weir_props_is(&line, "all"));
	assert_false(weir_props_is(&line, "al"));
	assert_int_equal(weir_props_value(&line, back, sizeof(back)), 256);
	assert_memory_equal(back, all, 256);
	assert_int_equal(weir_props_value(&line, back, 5), 4);
	assert_int_equal(weir_props_next(&walk, &line), 1);
	assert_int_equal(line.value_len, 0);
	assert_int_equal(weir_props_next(&walk, &line), 1);
	{
		uint64_t number = 0;

		assert_int_equal(weir_props_number(&line, &number), 0);
		assert_true(number == UINT64_MAX);
	}
	assert_int_equal(weir_props_next(&walk, &line), 0);
	weir_props_fini(&props);
}

static void keys_are_plain(void **state)
{
	struct weir_props props;

	weir_props_init(&props);
	assert_int_equal(weir_props_add(&props, "a=b", "", 0), -EINVAL);
	assert_int_equal(weir_props_add(&props, "a\nb", "", 0), -EINVAL);
	assert_int_equal(weir_props_add(&props, "", "", 0), -EINVAL);
	assert_int_equal(props.used, 0);
	weir_props_fini(&props);
}

static void nonsense_is_passed_over(void **state)
{
	static const char text[] = "no equals\n\n=\nkey=%4%%zz%41\nlast=9x";
	struct weir_props_walk walk;
	struct weir_props_line line;
	char value[32];
	uint64_t number;

	weir_props_start(&walk, text, sizeof(text) - 1);
	assert_int_equal(weir_props_next(&walk, &line), 1);
	assert_int_equal(line.key_len, 0);
	assert_int_equal(weir_props_next(&walk, &line), 1);
	weir_props_value(&line, value, sizeof(value));
	assert_string_equal(value, "%4%%zzA");
	assert_int_equal(weir_props_next(&walk, &line), 1);
	assert_int_equal(weir_props_number(&line, &number), -EINVAL);
	assert_int_equal(weir_props_next(&walk, &line), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_value_comes_back),
		cmocka_unit_test(keys_are_plain),
		cmocka_unit_test(nonsense_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
