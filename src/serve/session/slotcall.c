/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a call in a slot may do, and to which file. */
#include "serve/session/slotcall.h"

#include "serve/files/files.h"
#include "serve/session/chunkowner.h"

#include <fcntl.h>

static bool allows(uint32_t flags, int access)
{
	uint32_t mode = flags & O_ACCMODE;

	return mode == O_RDWR || mode == (uint32_t)access;
}

struct weir_file *weir_slotcall_borrow(const struct weir_slotcall *call,
				       uint32_t open, int access)
{
	struct weir_state_open *kept = &call->session->kept->opens[open];

	if (!atomic_load(&kept->live) || !allows(kept->flags, access))
		return NULL;
	return weir_files_borrow_open(kept);
}

bool weir_slotcall_is_abandoned(const struct weir_slotcall *call)
{
	uint32_t owner = atomic_load(&call->session->slots[call->slot].owner);

	return !call->is_again && owner && weir_chunkowner_is_dead(owner);
}
