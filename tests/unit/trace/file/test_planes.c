/* SPDX-License-Identifier: BSD-3-Clause */
/* Planes: the right form for each, and no bomb goes off. */
#include "trace/file/planes.h"

#include "check.h"

#include <errno.h>
#include <string.h>

#define ROWS 1000

static void each_plane_takes_its_form(void **state)
{
	struct weir_planes planes = { 0 };
	struct weir_bytes to = { 0 };
	uint64_t in[ROWS], out[ROWS];

	for (int i = 0; i < ROWS; i++)
		in[i] = 0x050000 | (uint64_t)(i & 3) << 8 |
			(uint64_t)(i * 2654435761u >> 24);
	assert_int_equal(weir_planes_put(&planes, in, ROWS, &to), 0);
	assert_int_equal(to.data[0], 3);
	assert_int_equal(to.data[to.used - 2], WEIR_PLANE_CONST);
	assert_int_equal(to.data[to.used - 1], 5);
	{
		struct weir_planes_source source = { to.data, to.used };

		assert_int_equal(weir_planes_get(&planes, &source, out, ROWS),
				 0);
		assert_int_equal(source.left, 0);
		assert_memory_equal(in, out, sizeof(in));
	}
	weir_bytes_fini(&to);
	weir_planes_fini(&planes);
}

static void a_bomb_does_not_go_off(void **state)
{
	static uint8_t zeros[1 << 20];
	struct weir_planes planes = { 0 };
	struct weir_bytes to = { 0 };
	struct weir_zip zip = { 0 };
	uint64_t out[ROWS];
	uint8_t head[] = { 1, WEIR_PLANE_ZSTD };

	assert_int_equal(weir_bytes_add(&to, head, 2), 0);
	{
		struct weir_bytes frame = { 0 };

		assert_int_equal(weir_zip_squeeze(&zip, zeros, sizeof(zeros),
						  &frame), 0);
		weir_bytes_add_varint(&to, frame.used);
		weir_bytes_add(&to, frame.data, frame.used);
		weir_bytes_fini(&frame);
	}
	{
		struct weir_planes_source source = { to.data, to.used };

		assert_int_equal(weir_planes_get(&planes, &source, out, ROWS),
				 -EBADMSG);
	}
	weir_zip_fini(&zip);
	weir_bytes_fini(&to);
	weir_planes_fini(&planes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_plane_takes_its_form),
		cmocka_unit_test(a_bomb_does_not_go_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
