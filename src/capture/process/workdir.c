/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows the handle of the working directory of this process. */
#include "capture/process/workdir.h"

#include "gate/fdmap.h"
#include "gate/gate.h"

_Atomic uint32_t weir_workdir_handle;

uint32_t weir_workdir_base(int dirfd)
{
	if (dirfd == WEIR_GATE_AT_FDCWD)
		return atomic_load(&weir_workdir_handle);
	return weir_fdmap_handle(weir_fdmap_get(dirfd));
}
