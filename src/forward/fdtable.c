/* SPDX-License-Identifier: BSD-3-Clause */
/* Which descriptors of this process are forwarded, and as which open file. */
#include "forward/fdtable.h"

_Atomic uint16_t weir_fdtable[WEIR_FDTABLE_COUNT];

void weir_fdtable_set(int fd, int open)
{
	if ((unsigned)fd < WEIR_FDTABLE_COUNT)
		atomic_store_explicit(&weir_fdtable[fd], (uint16_t)(open + 1),
				      memory_order_release);
}
