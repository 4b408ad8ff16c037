/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles: descriptors and names, told in any order. */
#include "trace/event/handles.h"

#include "check.h"
#include "rawmaker.h"

#include <string.h>

static struct weir_names names;

static void learn_note(struct weir_handles *handles, uint64_t handle,
		       uint64_t fd, uint64_t origin, uint64_t base,
		       const char *path)
{
	uint64_t numbers[] = { handle, fd + 1, origin, base, 0, 0, 0, 0 };
	struct rawmaker_detail detail = { .used = 0 };
	struct weir_event event = { .call = WEIR_NOTE_HANDLE };

	for (int i = 0; i < 8; i++)
		rawmaker_number(&detail, numbers[i]);
	rawmaker_text(&detail, path);
	event.detail = detail.bytes;
	event.detail_len = detail.used;
	assert_int_equal(weir_handles_learn(handles, &event, NULL), 0);
}

static void expect(struct weir_handles *handles, uint32_t handle, int fd,
		   const char *name)
{
	struct weir_event event = { .call = 20, .handle = handle };
	const char *got;
	size_t len;

	assert_int_equal(weir_handles_apply(handles, &event, NULL), 0);
	assert_int_equal(event.fd, fd);
	got = weir_names_get(&names, event.file, &len);
	if (name)
		assert_string_equal(got, name);
	else
		assert_null(got);
}

static void bases_may_come_later(void **state)
{
	struct weir_handles handles = { .names = &names };

	learn_note(&handles, 3, 5, WEIR_ORIGIN_DUP, 2, "");
	learn_note(&handles, 2, 4, WEIR_ORIGIN_INHERITED, 1, "file");
	assert_false(weir_handles_knows(&handles, 3));
	assert_false(weir_handles_knows(&handles, 2));
	learn_note(&handles, 1, (uint64_t)-1, WEIR_ORIGIN_CWD, 0, "/srv");
	assert_true(weir_handles_knows(&handles, 3));
	expect(&handles, 3, 5, "/srv/file");
	expect(&handles, 1, -1, "/srv");
	expect(&handles, 9, -1, NULL);
	expect(&handles, 0, -1, NULL);
	weir_handles_fini(&handles);
}

static void a_pipe_is_in_no_directory(void **state)
{
	struct weir_handles handles = { .names = &names };

	learn_note(&handles, 1, (uint64_t)-1, WEIR_ORIGIN_CWD, 0, "/srv");
	learn_note(&handles, 2, 3, WEIR_ORIGIN_PIPE, 0, "pipe");
	learn_note(&handles, 3, 4, WEIR_ORIGIN_PIPE, 1, "pipe");
	expect(&handles, 2, 3, "pipe");
	expect(&handles, 3, 4, "pipe");
	weir_handles_fini(&handles);
}

static void a_ring_of_bases_ends(void **state)
{
	struct weir_handles handles = { .names = &names };

	learn_note(&handles, 1, 1, WEIR_ORIGIN_INHERITED, 2, "a");
	learn_note(&handles, 2, 2, WEIR_ORIGIN_INHERITED, 1, "b");
	learn_note(&handles, 3, 3, WEIR_ORIGIN_DUP, 3, "");
	assert_true(weir_handles_knows(&handles, 1));
	expect(&handles, 1, 1, "a");
	expect(&handles, 3, 3, NULL);
	weir_handles_fini(&handles);
}

static void a_broken_note_tells_nothing(void **state)
{
	struct weir_handles handles = { .names = &names };
	uint8_t bytes[] = { 1, 2, 3, 0x80 };
	struct weir_event event = { .call = WEIR_NOTE_HANDLE,
				    .detail = bytes };

	for (event.detail_len = 0; event.detail_len <= 4; event.detail_len++)
		assert_int_equal(weir_handles_learn(&handles, &event, NULL),
				 0);
	assert_false(weir_handles_knows(&handles, 1));
	weir_handles_fini(&handles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bases_may_come_later),
		cmocka_unit_test(a_pipe_is_in_no_directory),
		cmocka_unit_test(a_ring_of_bases_ends),
		cmocka_unit_test(a_broken_note_tells_nothing),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	weir_names_fini(&names);
	return failed;
}
