/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether this process has begun to be recorded; fork wipes it. */
#include "capture/process/procguard.h"

#include "base/sys.h"

#include <sys/mman.h>

_Atomic uint32_t *weir_procguard;

int weir_procguard_make(void)
{
	long page, err;

	if (weir_procguard)
		return 0;
	page = weir_sys6(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (weir_sys_failed(page))
		return (int)page;
	err = weir_sys3(SYS_madvise, page, 4096, MADV_WIPEONFORK);
	if (err) {
		weir_sys2(SYS_munmap, page, 4096);
		return (int)err;
	}
	weir_procguard = (_Atomic uint32_t *)page;
	return 0;
}
