/* SPDX-License-Identifier: BSD-3-Clause */
/* HEAD and PROC: clocks that convert, texts that are refused. */
#include "trace/facts/nodeinfo.h"

#include "check.h"
#include "trace/facts/procinfo.h"

#include <errno.h>
#include <string.h>

static int parse(const char *text, struct weir_nodeinfo *ret_info)
{
	return weir_nodeinfo_parse(text, strlen(text), ret_info);
}

static void ticks_become_time(void **state)
{
	struct weir_nodeinfo info;

	assert_int_equal(parse("format=1\nhost=a%0Ab\nmult=1717986918\n"
			       "tick0=1000\nmono0=5000\nreal0=9000\nlater=x\n",
			       &info), 0);
	assert_string_equal(info.host, "a\nb");
	assert_true(weir_nodeinfo_mono(&info, 1000) == 5000);
	assert_true(weir_nodeinfo_mono(&info, 2000) == 5399);
	/* Before the anchor, and rounded down. */
	assert_true(weir_nodeinfo_mono(&info, 999) == 4999);
	/* A month of ticks does not overflow. */
	assert_true(weir_nodeinfo_mono(&info, UINT64_C(1000) +
				       UINT64_C(2592000) * 2500000000) >
		    UINT64_C(2591999) * 1000000000);
}

static void bad_clocks_are_refused(void **state)
{
	struct weir_nodeinfo info;

	assert_int_equal(parse("", &info), -EBADMSG);
	assert_int_equal(parse("format=1\n", &info), -EBADMSG);
	assert_int_equal(parse("format=1\nmult=1\n", &info), -EBADMSG);
	assert_int_equal(parse("format=1\nmult=9999999999999999\n", &info),
			 -EBADMSG);
	assert_int_equal(parse("format=1\nmult=4294967296\ntick0=x\n", &info),
			 -EBADMSG);
	assert_int_equal(parse("format=2\nmult=4294967296\n", &info),
			 -ENOTSUP);
}

static void a_process_is_told(void **state)
{
	static const char text[] =
		"pid=7\nstart=8\narg=one\narg=two%20\narg=\n"
		"thread=2 71 0 5\nthread=1 70 1 0\ndropped=5\nstate=cut\n"
		"exe=/bin/a\nexe=/bin/b\nunknown=1\n"
		"trait.rank=2\ntrait.mpi=MPI%0A4\ntrait.rank=12\ntrait.=x\n";
	struct weir_procinfo info;

	assert_int_equal(weir_procinfo_parse(text, strlen(text), &info), 0);
	assert_int_equal(info.pid, 7);
	assert_int_equal(info.arg_count, 3);
	assert_string_equal(info.args[1], "two ");
	assert_null(info.args[3]);
	assert_string_equal(info.exe, "/bin/b");
	assert_string_equal(info.state, "cut");
	assert_int_equal(weir_procinfo_find(&info, 2)->drops, 5);
	assert_int_equal(weir_procinfo_find(&info, 1)->level, 1);
	assert_null(weir_procinfo_find(&info, 3));
	assert_int_equal(weir_procinfo_rank(&info), 12);
	assert_string_equal(weir_procinfo_tells(&info, "mpi"), "MPI\n4");
	assert_null(weir_procinfo_tells(&info, "size"));
	weir_procinfo_fini(&info);
}

static void a_bad_process_is_refused(void **state)
{
	static const char *const texts[] = {
		"arg=kept\npid=x\n",
		"thread=1 2 3\n",
		"thread=\n",
		"dropped=-1\n",
	};
	struct weir_procinfo info;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(weir_procinfo_parse(texts[i],
						     strlen(texts[i]), &info),
				 -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_become_time),
		cmocka_unit_test(bad_clocks_are_refused),
		cmocka_unit_test(a_process_is_told),
		cmocka_unit_test(a_bad_process_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
