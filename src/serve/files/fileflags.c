/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows clients on the board what is to be done with a file. */
#include "serve/files/fileflags.h"

#include "serve/files/backends.h"
#include "serve/state/board.h"
#include "serve/state/setup.h"

static _Atomic bool is_settled;

void weir_fileflags_show(struct weir_file *file)
{
	uint32_t flags = 0;

	if (file->kept->is_bypassed)
		flags |= WEIR_FILE_BYPASS;
	if (file->is_tight || file->is_turning ||
	    weir_setup_used->policy == WEIR_POLICY_THROUGH)
		flags |= WEIR_FILE_TIGHT;
	if (file->error)
		flags |= WEIR_FILE_FAILED;
	if (file->writers || file->records || !atomic_load(&is_settled))
		flags |= WEIR_FILE_WRITTEN;
	if (atomic_load(&file->handle))
		flags |= WEIR_FILE_TRACED;
	if (weir_backends_used->flags & WEIR_BACKEND_READS)
		flags |= WEIR_FILE_SERVED;
	weir_board_tell(file->place, flags);
}

void weir_fileflags_bypass(struct weir_file *file)
{
	if (!file->kept->is_bypassed)
		atomic_fetch_add(&weir_state->bypassed, 1);
	file->kept->is_bypassed = 1;
	weir_fileflags_show(file);
}

void weir_fileflags_settle(void)
{
	atomic_store(&is_settled, true);
}
