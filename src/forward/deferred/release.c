/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives files back to the kernel for good. */
#include "forward/deferred/release.h"

#include "base/sys.h"
#include "forward/deferred/deferral.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "gate/fdtable.h"
#include "spec/forward_stubs.h"

#include <fcntl.h>
#include <unistd.h>

int weir_release_open(uint32_t open, int fd)
{
	struct weir_session_open *at = weir_openfiles_at(open);
	struct weir_op_bypass_in in;
	int ret = weir_deferral_materialise(fd);

	if (ret || weir_openfiles_flags(open) & WEIR_OPENFILES_KERNELS)
		return ret;
	in = (struct weir_op_bypass_in){.file = at->file, .turn = at->turn};
	ret = weir_stub_bypass(&in, NULL);
	if (!ret)
		weir_openfiles_to_kernel(open, fd);
	else /* who gets it goes on at the right place at least */
		weir_sys3(SYS_lseek, fd, atomic_load(&at->offset), SEEK_SET);
	return ret;
}

/* Another thread may hand it over meanwhile. */
int weir_release_fd(int fd)
{
	int open, ret;

	while (!weir_lazyopen_release(fd, &ret)) {
		open = weir_fdtable_peek(fd);
		if (open < 0)
			return 0;
		if (!weir_fdtable_is_lazy(open))
			return weir_release_open((uint32_t)open, fd);
	}
	return ret;
}

bool weir_release_is_exempt(int fd)
{
	long flags = weir_sys2(SYS_fcntl, fd, F_GETFD);

	return flags < 0 || flags & FD_CLOEXEC;
}

void weir_release_inherited(bool all)
{
	int fd = -1;

	while ((fd = weir_fdtable_next((unsigned)fd + 1, UINT32_MAX)) >= 0)
		if (all || !weir_release_is_exempt(fd))
			weir_release_fd(fd);
}
