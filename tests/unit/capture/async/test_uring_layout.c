/* SPDX-License-Identifier: BSD-3-Clause */
/* Our idea of a ring is that of liburing's users. */
#include "capture/async/uring_layout.h"

#include <liburing.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SAME(ours, theirs)                                                     \
	assert_int_equal(offsetof(struct weir_uring, ours),                    \
			 offsetof(struct io_uring, theirs))

static void a_ring_is_where_liburing_has_it(void **state)
{
	SAME(sq.head, sq.khead);
	SAME(sq.tail, sq.ktail);
	SAME(sq.mask, sq.kring_mask);
	SAME(sq.entries, sq.kring_entries);
	SAME(sq.sqes, sq.sqes);
	SAME(sq.sqe_head, sq.sqe_head);
	SAME(sq.sqe_tail, sq.sqe_tail);
	SAME(cq.head, cq.khead);
	SAME(cq.tail, cq.ktail);
	SAME(cq.mask, cq.kring_mask);
	SAME(cq.entries, cq.kring_entries);
	SAME(cq.cqes, cq.cqes);
	SAME(flags, flags);
	SAME(ring_fd, ring_fd);
	SAME(features, features);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ring_is_where_liburing_has_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
