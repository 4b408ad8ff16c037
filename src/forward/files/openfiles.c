/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores, closes and gives back open files that the service has. */
#include "forward/files/openfiles.h"

#include "base/sys.h"
#include "forward/files/opens.h"
#include "gate/fdtable.h"
#include "spec/forward_stubs.h"

#include <unistd.h>

/* The kernel goes on where the service was. */
static void place_offset(uint32_t open, int fd)
{
	struct weir_session_open *at = weir_openfiles_at(open);

	weir_sys3(SYS_lseek, fd, atomic_load(&at->offset), SEEK_SET);
	atomic_fetch_or(&at->flags, WEIR_OPENFILES_KERNELS);
}

void weir_openfiles_to_kernel(uint32_t open, int fd)
{
	bool taken = weir_opens_lock(weir_openfiles_at(open));

	if (!(weir_openfiles_flags(open) & WEIR_OPENFILES_KERNELS))
		place_offset(open, fd);
	if (taken)
		weir_opens_unlock(weir_openfiles_at(open));
}

bool weir_openfiles_is_kernels(uint32_t open, int fd)
{
	if (weir_openfiles_flags(open) & WEIR_OPENFILES_KERNELS)
		return true;
	if (!(weir_link_flags(weir_openfiles_at(open)->file) &
	      WEIR_FILE_BYPASS))
		return false;
	weir_openfiles_to_kernel(open, fd);
	return true;
}

int weir_openfiles_commit(uint32_t open, uint32_t how)
{
	struct weir_session_open *at = weir_openfiles_at(open);
	struct weir_op_commit_in in = {
		.file = at->file, .turn = at->turn, .how = how};

	atomic_store(&at->written, 0);
	return weir_stub_commit(&in, NULL);
}

/* Its offset is not ours to set: others may be using it. */
int weir_openfiles_leave(uint32_t open)
{
	struct weir_session_open *at = weir_openfiles_at(open);
	struct weir_op_bypass_in in = {.file = at->file, .turn = at->turn};

	atomic_fetch_or(&at->flags, WEIR_OPENFILES_KERNELS);
	return weir_stub_bypass(&in, NULL);
}

int weir_openfiles_drop(uint32_t open)
{
	struct weir_op_close_in in = {.open = open};
	struct weir_session_open *at = weir_openfiles_at(open);

	if (weir_opens_drop(at))
		return weir_stub_close(&in, NULL);
	if (atomic_load(&at->written))
		return weir_openfiles_commit(open, WEIR_OPENFILES_TELL);
	return 0;
}

void weir_openfiles_leave_offset(int fd)
{
	int open = weir_fdtable_peek(fd);
	struct weir_session_open *at;
	bool taken;

	if (open < 0 || weir_fdtable_is_lazy(open))
		return;
	at = weir_openfiles_at((uint32_t)open);
	taken = weir_opens_lock(at);
	if (!(weir_openfiles_flags((uint32_t)open) & WEIR_OPENFILES_KERNELS))
		weir_sys3(SYS_lseek, fd, atomic_load(&at->offset), SEEK_SET);
	if (taken)
		weir_opens_unlock(at);
}
