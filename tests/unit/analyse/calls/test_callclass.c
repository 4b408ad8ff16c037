/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups calls by what they mean, told or guessed. */
#include "analyse/calls/callclass.h"

#include "check.h"
#include "spec/dictionary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* This version's dictionary, and as earlier ones would have told it. */
static struct weir_dictionary *told, *guessed;

static char *without_classes(void)
{
	char *text = calloc(1, weir_dictionary_size + 1);
	const char *from = weir_dictionary_text;
	char *to = text;

	assert_non_null(text);
	while (*from) {
		size_t len = strcspn(from, "\n") + 1;

		if (strncmp(from, "class ", 6)) {
			memcpy(to, from, len);
			to += len;
		}
		from += len;
	}
	return text;
}

static int setup(void **state)
{
	char *old = without_classes();
	int err = weir_dictionary_parse(weir_dictionary_text,
					weir_dictionary_size, &told);

	err = err ? err : weir_dictionary_parse(old, strlen(old), &guessed);
	free(old);
	return err;
}

static int teardown(void **state)
{
	weir_dictionary_free(told);
	weir_dictionary_free(guessed);
	return 0;
}

static bool is_among(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

/* Where names said less than is true. */
static const char *const wrong[] = {
	"scandir", "scandirat", "glob", NULL,
};

static void every_call_has_a_class(void **state)
{
	for (uint32_t id = 0; id < 65280; id++) {
		const struct weir_call *call =
			weir_dictionary_call(told, (uint16_t)id);

		if (call && call->means.class == WEIR_MEANS_NOTHING)
			fail_msg("%s", call->name);
	}
}

static void names_of_old_traces_group_calls_alike(void **state)
{
	int count = 0;

	for (uint32_t id = 0; id < 65280; id++) {
		const struct weir_call *now =
			weir_dictionary_call(told, (uint16_t)id);
		const struct weir_call *old =
			weir_dictionary_call(guessed, (uint16_t)id);

		if (!now || is_among(now->name, wrong))
			continue;
		count++;
		if (weir_callclass_of(now) != weir_callclass_of(old))
			fail_msg("%s is %s, and was %s", now->name,
				 weir_callclass_name(weir_callclass_of(now)),
				 weir_callclass_name(weir_callclass_of(old)));
	}
	assert_true(count > 700);
}

/* Classes that names tell too; of the others they say nothing. */
static bool is_guessed(const struct weir_call *call)
{
	switch (call->means.class) {
	case WEIR_MEANS_RENAME:
	case WEIR_MEANS_LINK:
	case WEIR_MEANS_UNLINK:
	case WEIR_MEANS_TRUNCATE:
	case WEIR_MEANS_CHDIR:
	case WEIR_MEANS_LOOK:
	case WEIR_MEANS_LOCK:
	case WEIR_MEANS_DUP:
	case WEIR_MEANS_CONTROL:
	case WEIR_MEANS_LIBRARY:
	case WEIR_MEANS_FLUSH:
	case WEIR_MEANS_CODE:
	case WEIR_MEANS_MARK:
	case WEIR_MEANS_DIGEST:
	case WEIR_MEANS_MESSAGES:
	case WEIR_MEANS_PLAN_EFFECT:
	case WEIR_MEANS_MAP:
		return true;
	default:
		return false;
	}
}

/* What old tables missed, or did not care about. */
static const char *const more[] = {
	/* streams flush too, and the daemon, and HDF5 at its end */
	"fflush", "fcloseall", "H5close", "serve_commit",
	/* names in files of libraries, which nobody looked at */
	"ncmpi_rename_dim", "ncmpi_rename_var", "ncmpi_rename_att",
	"ncmpi_del_att", "H5Glink", "H5Glink2", "H5Olink", "H5Lcreate_hard",
	"H5Lcreate_hard_async", "H5Ldelete_by_idx", "H5Ldelete_by_idx_async",
	"H5Adelete_by_idx", "H5Adelete_by_name", "H5Arename_by_name",
	"H5Arename_async", "H5Arename_by_name_async", NULL,
};

static void what_names_tell_is_what_the_tables_tell(void **state)
{
	for (uint32_t id = 0; id < 65280; id++) {
		const struct weir_call *now =
			weir_dictionary_call(told, (uint16_t)id);
		const struct weir_call *old =
			weir_dictionary_call(guessed, (uint16_t)id);

		if (!now || is_among(now->name, more) ||
		    (!is_guessed(now) && !is_guessed(old)))
			continue;
		if (now->means.class != old->means.class)
			fail_msg("%s: %s, and was %s", now->name,
				 weir_means_words[now->means.class],
				 weir_means_words[old->means.class]);
		if (now->means.name != old->means.name ||
		    now->means.to != old->means.to)
			fail_msg("%s: other names", now->name);
	}
}

static void layers_of_old_traces_follow_from_classes(void **state)
{
	struct weir_call call = { .name = "x", .role = "x" };

	assert_string_equal(weir_callclass_layer(&call), "posix");
	call.means.class = WEIR_MEANS_STREAM_FILL;
	assert_string_equal(weir_callclass_layer(&call), "stdio");
	call.means.class = WEIR_MEANS_COMPLETE;
	assert_string_equal(weir_callclass_layer(&call), "async");
	call.layer = "mpiio";
	assert_string_equal(weir_callclass_layer(&call), "mpiio");
	assert_int_equal(weir_callclass_of(NULL), WEIR_CLASS_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_has_a_class),
		cmocka_unit_test(names_of_old_traces_group_calls_alike),
		cmocka_unit_test(what_names_tell_is_what_the_tables_tell),
		cmocka_unit_test(layers_of_old_traces_follow_from_classes),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
