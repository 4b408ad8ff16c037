/* SPDX-License-Identifier: BSD-3-Clause */
/* A flat plan tells what it was made of, and is never used when damaged. */
#include "plan/flatplan.h"

#include "base/hash.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SETTINGS 4

/* Made by hand from the layout, so that the writer is not its own judge. */
struct sheet {
	struct weir_plan_head head;
	struct weir_plan_setting settings[SETTINGS];
	struct weir_plan_site sites[2];
	char strings[64];
};

static void seal(struct sheet *sheet)
{
	sheet->head.check = weir_hash_bytes(
		&sheet->head + 1, sizeof(*sheet) - sizeof(sheet->head));
}

/* Of one parameter: for all, a file, a dataset, and another for all. */
static struct sheet make(void)
{
	struct sheet sheet = {
		.head = { .magic = WEIR_PLAN_MAGIC,
			  .version = WEIR_PLAN_VERSION,
			  .bytes = sizeof(sheet), .settings = SETTINGS,
			  .sites = 2, .strings = sizeof(sheet.strings) },
		.sites = { { 7, 100 }, { 8, 200 } },
		.strings = "\0chunk\0*.h5\0/x\0later\0out*",
	};
	const struct weir_plan_setting settings[SETTINGS] = {
		{.param = 40, .target = WEIR_PLAN_DATASET_CREATE, .name = 1},
		{.param = 40,
		 .target = WEIR_PLAN_DATASET_CREATE,
		 .name = 1,
		 .file = 7,
		 .site = 1,
		 .sites = 1},
		{.param = 40,
		 .target = WEIR_PLAN_DATASET_CREATE,
		 .name = 1,
		 .dataset = 12},
		{.param = 40,
		 .target = WEIR_PLAN_DATASET_CREATE,
		 .name = 1,
		 .file = 21},
	};

	memcpy(sheet.settings, settings, sizeof(settings));
	seal(&sheet);
	return sheet;
}

static const struct weir_plan_setting *
only(const struct weir_flatplan *flat, const char *file, const char *dataset)
{
	const struct weir_plan_setting *first = weir_flatplan_next(
		flat, WEIR_PLAN_DATASET_CREATE, file, dataset, NULL);

	assert_null(first && weir_flatplan_next(flat, WEIR_PLAN_DATASET_CREATE,
						file, dataset, first)
			    ? first
			    : NULL);
	return first;
}

static void the_nearest_setting_goes_before(void **state)
{
	struct sheet sheet = make();
	struct weir_flatplan flat;

	assert_int_equal(weir_flatplan_open(&sheet, sizeof(sheet), &flat), 0);
	assert_ptr_equal(only(&flat, "/d/a.nc", "/y"), &sheet.settings[0]);
	assert_ptr_equal(only(&flat, "/d/a.h5", "/y"), &sheet.settings[1]);
	assert_ptr_equal(only(&flat, "/d/a.h5", "/x"), &sheet.settings[2]);
	/* both are for it: the later */
	assert_ptr_equal(only(&flat, "/d/out.h5", "/y"), &sheet.settings[3]);
	assert_ptr_equal(only(&flat, NULL, NULL), &sheet.settings[0]);
	assert_null(weir_flatplan_next(&flat, WEIR_PLAN_HINT, "/d/a.h5", NULL,
				       NULL));
	assert_string_equal(weir_flatplan_text(&flat, flat.settings[0].name),
			    "chunk");
}

static void sites_belong_to_their_setting(void **state)
{
	struct sheet sheet = make();
	struct weir_flatplan flat;

	assert_int_equal(weir_flatplan_open(&sheet, sizeof(sheet), &flat), 0);
	assert_true(weir_flatplan_has_site(&flat, &flat.settings[1], 8, 200));
	assert_false(weir_flatplan_has_site(&flat, &flat.settings[1], 7, 100));
	assert_false(weir_flatplan_has_site(&flat, &flat.settings[1], 8, 100));
	assert_false(weir_flatplan_has_site(&flat, &flat.settings[0], 7, 100));
}

/* The sum alone finds every flipped bit. */
static void a_flipped_bit_is_found(void **state)
{
	struct sheet sheet = make();
	struct weir_flatplan flat;

	for (size_t bit = 0; bit < 8 * sizeof(sheet); bit++) {
		uint8_t *byte = (uint8_t *)&sheet + bit / 8;
		size_t pad = offsetof(struct weir_plan_head, pad);

		if (bit / 8 >= pad && bit / 8 < pad + 4)
			continue;
		*byte ^= (uint8_t)(1 << bit % 8);
		assert_int_equal(
			weir_flatplan_open(&sheet, sizeof(sheet), &flat),
			-EBADMSG);
		*byte ^= (uint8_t)(1 << bit % 8);
	}
	assert_int_equal(weir_flatplan_open(&sheet, sizeof(sheet), &flat), 0);
}

static void a_part_of_it_is_refused(void **state)
{
	struct sheet sheet = make();
	struct weir_flatplan flat;

	for (size_t size = 0; size < sizeof(sheet); size++) {
		uint8_t *part = malloc(size + !size);

		memcpy(part, &sheet, size);
		assert_int_equal(weir_flatplan_open(part, size, &flat),
				 -EBADMSG);
		free(part);
	}
}

/* With a right sum, too, nothing may point out of it. */
static void wrong_offsets_are_refused(void **state)
{
	static const struct {
		size_t at;
		uint32_t value;
	} wrong[] = {
#define OF_HEAD(field) offsetof(struct weir_plan_head, field)
#define OF_SETTING(field)						\
	(sizeof(struct weir_plan_head) +				\
	 2 * sizeof(struct weir_plan_setting) +				\
	 offsetof(struct weir_plan_setting, field))
		{ OF_HEAD(version), 2 }, { OF_HEAD(settings), 5 },
		{ OF_HEAD(settings), 0x80000004 }, { OF_HEAD(sites), 3 },
		{ OF_HEAD(strings), 0 }, { OF_HEAD(strings), 65 },
		{ OF_SETTING(name), 64 }, { OF_SETTING(value), 64 },
		{ OF_SETTING(file), 0xffffffff }, { OF_SETTING(dataset), 64 },
		{ OF_SETTING(site), 3 }, { OF_SETTING(sites), 3 },
		{ OF_SETTING(sites), 0xffffffff }, { OF_SETTING(count), 9 },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct sheet sheet = make();
		struct weir_flatplan flat;

		memcpy((char *)&sheet + wrong[i].at, &wrong[i].value, 4);
		seal(&sheet);
		assert_int_equal(
			weir_flatplan_open(&sheet, sizeof(sheet), &flat),
			-EBADMSG);
	}
}

static void texts_must_end(void **state)
{
	struct sheet sheet = make();
	struct weir_flatplan flat;

	sheet.strings[63] = 'x';
	seal(&sheet);
	assert_int_equal(weir_flatplan_open(&sheet, sizeof(sheet), &flat),
			 -EBADMSG);
	sheet.strings[63] = '\0';
	sheet.strings[0] = 'x';
	seal(&sheet);
	assert_int_equal(weir_flatplan_open(&sheet, sizeof(sheet), &flat),
			 -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_setting_goes_before),
		cmocka_unit_test(sites_belong_to_their_setting),
		cmocka_unit_test(a_flipped_bit_is_found),
		cmocka_unit_test(a_part_of_it_is_refused),
		cmocka_unit_test(wrong_offsets_are_refused),
		cmocka_unit_test(texts_must_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
