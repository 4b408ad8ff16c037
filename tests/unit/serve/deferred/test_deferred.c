/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are created later, as a daemon finds them that comes after one
 * that died between any two steps. */
#include "serve/deferred/deferred.h"
#include "serve/state/keptfds.h"
#include "serve/state/setup.h"
#include "serve/state/state.h"
#include "spec/forward.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>

#include <cmocka.h>

#define DEV   3u
#define INO   5u
#define PLACE 2u

static struct weir_setup setup = {.cache = UINT64_C(4) << 20};

static void leave_file(uint32_t place, enum weir_state_deferral stage,
		       const char *path)
{
	struct weir_state_deferred *kept = &weir_state->deferred[place];

	kept->dev = DEV;
	kept->ino = INO;
	kept->turn = 2;
	snprintf(kept->path, sizeof(kept->path), "%s", path);
	atomic_store(&kept->phase, stage);
	atomic_store(&kept->live, 1);
	weir_keptfds_replace(WEIR_KEPTFDS_DEFERRED, place,
			     memfd_create("test", MFD_CLOEXEC));
}

static int begin(void **state)
{
	weir_setup_used = &setup;
	return weir_state_make(WEIR_OP_INTERFACE, "");
}

/* It had created one, and did not come to uncount its name. */
static void names_are_counted_anew(void **state)
{
	struct weir_board *board = weir_state_board;
	uint32_t named = weir_board_name(DEV, INO, "named");
	uint32_t created = weir_board_name(DEV, INO, "created");

	leave_file(PLACE, WEIR_DEFERRED_NAMED, "/place/named");
	leave_file(PLACE + 1, WEIR_DEFERRED_MATERIALISED, "/place/created");
	atomic_store(&board->deferred_names[named], 1);
	atomic_store(&board->deferred_names[created], 1);
	atomic_store(&board->deferred_parents[weir_board_name(DEV, INO, "")],
		     2);
	atomic_store(&board->deferred_count, 2);
	weir_deferred_begin();
	assert_int_equal(board->deferred_names[named], 1);
	assert_int_equal(board->deferred_names[created], 0);
	assert_int_equal(board->deferred_parents[weir_board_name(DEV, INO, "")],
			 1);
	assert_int_equal(board->deferred_count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_counted_anew),
	};

	return cmocka_run_group_tests(tests, begin, NULL);
}
