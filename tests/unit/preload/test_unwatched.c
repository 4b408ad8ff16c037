/* SPDX-License-Identifier: BSD-3-Clause */
/* Our memory functions do what libc's do, at every alignment and length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define memcpy	own_memcpy
#define memmove own_memmove
#define memset	own_memset
#define memcmp	own_memcmp
#define memchr	own_memchr
#define strnlen own_strnlen
#define strlen	own_strlen
#define strncmp own_strncmp
#define strcmp	own_strcmp
#define strchr	own_strchr
#define strcspn own_strcspn
#define strrchr own_strrchr
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "preload/unwatched.c"
#undef memmove
#undef memset
#undef memcmp
#undef strnlen

#define ROOM 64

/* From any place to any other: below it, above it, over it. */
static void moves_as_libc_does(void **state)
{
	for (size_t i = 0; i < 20u * 20 * 40; i++) {
		size_t from = i % 20, to = i / 20 % 20, bytes = i / 400;
		uint8_t ours[ROOM], theirs[ROOM];

		for (size_t k = 0; k < ROOM; k++)
			ours[k] = theirs[k] = (uint8_t)(k * 7 + 1);
		assert_ptr_equal(own_memmove(ours + to, ours + from, bytes),
				 ours + to);
		memmove(theirs + to, theirs + from, bytes);
		assert_int_equal(memcmp(ours, theirs, ROOM), 0);
	}
}

/* At the end of a page that nothing follows. */
static void measures_as_libc_does(void **state)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *end = pages + 4096;

	assert_true(pages != MAP_FAILED);
	assert_int_equal(munmap(end, 4096), 0);
	memset(pages, 'x', 4096);
	for (size_t i = 0; i < 40u * 40; i++) {
		size_t room = 1 + i % 40, length = i / 40;

		if (length >= room)
			continue;
		end[-(ptrdiff_t)room + (ptrdiff_t)length] = 0;
		for (size_t most = 0; most <= room; most++)
			assert_int_equal(own_strnlen(end - room, most),
					 strnlen(end - room, most));
		assert_int_equal(own_strlen(end - room), length);
		memset(pages, 'x', 4096);
		assert_int_equal(own_strnlen(end - room, room), room);
	}
	munmap(pages, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_as_libc_does),
		cmocka_unit_test(measures_as_libc_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
