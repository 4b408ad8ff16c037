/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lets a process go that the service cannot follow any more: another user, to
 * whom its socket is closed; one with another root, where names mean something
 * else; one that forbids itself system calls, or makes them by io_uring. What
 * was written is stored and materialised before, so that it finds all there is;
 * what it does then the kernel does, which knows what it may. Nothing is
 * deferred from then on, as neither it nor the programs that it starts would
 * see it.
 */
#include "forward/deferred/deferral.h"
#include "forward/deferred/release.h"
#include "forward/divert/divert.h"
#include "forward/files/adopt.h"
#include "forward/files/ownfds.h"
#include "forward/files/servedfiles.h"

static bool is_outside;

int weir_divert_outside_before(struct weir_divert *hold)
{
	if (is_outside)
		return 0;
	if (weir_link_is_deferring) {
		weir_deferral_materialise_own();
		weir_deferral_end();
	}
	weir_servedfiles_commit_all();
	if (weir_ownfds_are_ours()) {
		weir_adopt_nothing_more();
		weir_release_inherited(true);
		is_outside = true;
	}
	return 0;
}

long weir_divert_outside_after(struct weir_divert *hold, long ret)
{
	return ret;
}
