/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whose a chunk or slot is, and whether that thread lives. */
#include "serve/session/chunkowner.h"

#include "base/futex.h"

#include <errno.h>

#define FOREIGN 0x80000000u /* a thread of another space of process numbers */
#define NUMBER	0x3fffffffu

bool weir_chunkowner_is_dead(uint32_t owner)
{
	if (owner & FOREIGN)
		return false;
	return weir_sys2(SYS_tkill, owner & NUMBER, 0) == -ESRCH;
}

void weir_chunkowner_free(struct weir_session_head *head)
{
	uint32_t owner = atomic_load(&head->owner);

	if (owner == WEIR_SESSION_DAEMON ||
	    (owner && weir_chunkowner_is_dead(owner)))
		atomic_compare_exchange_strong(&head->owner, &owner, 0);
}
