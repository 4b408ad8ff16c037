/* SPDX-License-Identifier: BSD-3-Clause */
/* Selections: what is told of them, and when the library is asked. */
#include "layers/hdf5/hdf5_space.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SPACE 77L
#define TYPE  78L

enum { NONE, POINTS, HYPERSLABS, ALL };

/* A dataspace of 100 x 200, as the library would tell of it. */
static struct {
	int asked;
	int kind, regular;
	uint64_t low[2], high[2], stride[2], count[2], block[2];
	uint64_t points, blocks;
	size_t size;
} fake;

struct weir_hdf5_library weir_hdf5_libraries[WEIR_HDF5_LIBRARIES];

struct weir_hdf5_library *weir_hdf5_library_find(const void *next)
{
	return NULL;
}

void weir_hdf5_hush(struct weir_hdf5_library *lib, struct weir_hdf5_hush *old)
{
	fake.asked++;
}

void weir_hdf5_unhush(struct weir_hdf5_library *lib,
		      const struct weir_hdf5_hush *old)
{
}

static int id_type(long id)
{
	return id == SPACE  ? WEIR_HDF5_DATASPACE
	       : id == TYPE ? WEIR_HDF5_DATATYPE
			    : -1;
}

static int space_rank(long id)
{
	return 2;
}

static int space_dims(long id, uint64_t *dims, uint64_t *most)
{
	dims[0] = 100;
	dims[1] = 200;
	return 2;
}

static int select_type(long id)
{
	return fake.kind;
}

static long select_points(long id)
{
	return (long)fake.points;
}

static int select_bounds(long id, uint64_t *low, uint64_t *high)
{
	memcpy(low, fake.low, sizeof(fake.low));
	memcpy(high, fake.high, sizeof(fake.high));
	return 0;
}

static int select_is_regular(long id)
{
	return fake.regular;
}

static int select_regular(long id, uint64_t *start, uint64_t *stride,
			  uint64_t *count, uint64_t *block)
{
	memcpy(start, fake.low, sizeof(fake.low));
	memcpy(stride, fake.stride, sizeof(fake.stride));
	memcpy(count, fake.count, sizeof(fake.count));
	memcpy(block, fake.block, sizeof(fake.block));
	return 0;
}

static long select_blocks(long id)
{
	return (long)fake.blocks;
}

static size_t type_size(long id)
{
	fake.asked++;
	return fake.size;
}

static struct weir_hdf5_library *lib = &weir_hdf5_libraries[0];

static int begin(void **state)
{
	memset(&fake, 0, sizeof(fake));
	*lib = (struct weir_hdf5_library){
		.number = 1,
		.low = 1000,
		.high = 2000,
		.id_type = id_type,
		.space_rank = space_rank,
		.space_dims = space_dims,
		.select_type = select_type,
		.select_points = select_points,
		.select_bounds = select_bounds,
		.select_is_regular = select_is_regular,
		.select_regular = select_regular,
		.select_blocks = select_blocks,
		.type_size = type_size,
	};
	weir_hdf5_space_forget();
	return 0;
}

static void check(uint64_t points, uint64_t runs, const char *extent)
{
	struct weir_hdf5_space space;
	char text[WEIR_HDF5_TEXT];

	assert_true(weir_hdf5_space_look(lib, SPACE, &space));
	assert_int_equal(weir_hdf5_space_points(&space), points);
	assert_int_equal(weir_hdf5_space_runs(&space), runs);
	weir_hdf5_space_spell(&space, text);
	assert_string_equal(text, extent);
}

static struct weir_hdf5_change selecting(const uint64_t *start,
					 const uint64_t *stride,
					 const uint64_t *count,
					 const uint64_t *block)
{
	return (struct weir_hdf5_change){
		.from = (void *)1500,
		.select = SPACE,
		.start = start,
		.stride = stride,
		.count = count,
		.block = block,
	};
}

static void all_is_one_run(void **state)
{
	fake.kind = ALL;
	check(20000, 1, "0+100,0+200");
	check(20000, 1, "0+100,0+200");
	assert_int_equal(fake.asked, 1);
}

static void nothing_is_no_run(void **state)
{
	fake.kind = NONE;
	check(0, 0, "0+0,0+0");
}

static void points_are_runs(void **state)
{
	fake.kind = POINTS;
	fake.points = 3;
	memcpy(fake.low, (uint64_t[]){ 1, 2 }, sizeof(fake.low));
	memcpy(fake.high, (uint64_t[]){ 5, 9 }, sizeof(fake.high));
	check(3, 3, "1+5,2+8");
}

static void uneven_blocks_are_counted(void **state)
{
	fake.kind = HYPERSLABS;
	fake.points = 30;
	fake.blocks = 2;
	memcpy(fake.high, (uint64_t[]){ 6, 9 }, sizeof(fake.high));
	check(30, 2, "0+7,0+10");
}

static void selections_are_followed(void **state)
{
	uint64_t start[] = { 10, 0 }, rows[] = { 5, 200 }, part[] = { 5, 20 };
	uint64_t stride[] = { 4, 5 }, few[] = { 3, 4 }, block[] = { 2, 5 };
	struct weir_hdf5_change args = selecting(start, NULL, rows, NULL);

	fake.kind = ALL;
	check(20000, 1, "0+100,0+200");
	weir_hdf5_select(&args);
	check(1000, 1, "10+5,0+200");
	args = selecting(start, NULL, part, NULL);
	weir_hdf5_select(&args);
	check(100, 5, "10+5,0+20");
	args = selecting(start, stride, few, NULL);
	weir_hdf5_select(&args);
	check(12, 12, "10+3*4,0+4*5");
	args = selecting(start, stride, few, block);
	weir_hdf5_select(&args);
	check(120, 6, "10+10,0+20");
	assert_int_equal(fake.asked, 1);
}

static void refused_selections_are_asked_for(void **state)
{
	uint64_t start[] = { 0, 0 }, none[] = { 0, 1 };
	struct weir_hdf5_change args = selecting(start, NULL, none, NULL);

	fake.kind = ALL;
	check(20000, 1, "0+100,0+200");
	weir_hdf5_select(&args);
	check(20000, 1, "0+100,0+200");
	assert_int_equal(fake.asked, 2);
	args.count = (uint64_t[]){ 1, 1 };
	args.op = 1; /* combined with what was there */
	weir_hdf5_select(&args);
	check(20000, 1, "0+100,0+200");
	assert_int_equal(fake.asked, 3);
	weir_hdf5_alter(&args);
	check(20000, 1, "0+100,0+200");
	assert_int_equal(fake.asked, 4);
}

static void what_is_no_dataspace_is_not_known(void **state)
{
	struct weir_hdf5_space space;

	assert_false(weir_hdf5_space_look(lib, TYPE, &space));
	assert_int_equal(weir_hdf5_type_size(lib, SPACE), 0);
}

static void sizes_are_asked_once(void **state)
{
	fake.size = 8;
	assert_int_equal(weir_hdf5_type_size(lib, TYPE), 8);
	fake.size = 20;
	assert_int_equal(weir_hdf5_type_size(lib, TYPE), 8);
	weir_hdf5_retype(NULL);
	assert_int_equal(weir_hdf5_type_size(lib, TYPE), 20);
	assert_int_equal(fake.asked, 2);
}

static void shapes_are_spelled(void **state)
{
	uint64_t dims[] = { 1, 20, 300, 4, 5, 6, 7, 8 };
	char text[WEIR_HDF5_TEXT];

	weir_hdf5_space_shape(dims, 3, text);
	assert_string_equal(text, "1x20x300");
	weir_hdf5_space_shape(dims, 0, text);
	assert_string_equal(text, "");
	weir_hdf5_space_shape(dims, 9, text);
	assert_string_equal(text, "1x20x300x4x5x6x7x8x...");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(all_is_one_run, begin),
		cmocka_unit_test_setup(nothing_is_no_run, begin),
		cmocka_unit_test_setup(points_are_runs, begin),
		cmocka_unit_test_setup(uneven_blocks_are_counted, begin),
		cmocka_unit_test_setup(selections_are_followed, begin),
		cmocka_unit_test_setup(refused_selections_are_asked_for, begin),
		cmocka_unit_test_setup(what_is_no_dataspace_is_not_known,
				       begin),
		cmocka_unit_test_setup(sizes_are_asked_once, begin),
		cmocka_unit_test_setup(shapes_are_spelled, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
