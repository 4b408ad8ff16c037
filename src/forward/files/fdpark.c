/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a child open and close descriptors in our memory. */
#include "forward/files/fdpark.h"

#include "base/sys.h"
#include "forward/link/self.h"

#include <errno.h>
#include <stdint.h>
#include <sys/wait.h>

bool weir_fdpark_is_wanted;

/* aside_clone.S: the child first, and we when it has ended. */
long weir_fdpark_clone(void) __attribute__((returns_twice));

/* Its end is no news to the program: no signal, and no plain wait sees it. */
void weir_fdpark_run(void (*work)(void *on), void *on)
{
	uint64_t all = UINT64_MAX, old;
	long pid;

	weir_self_owner(); /* else we would be the child, which ends */
	weir_sys4(SYS_rt_sigprocmask, 0, &all, &old, sizeof(all));
	pid = weir_fdpark_clone();
	if (!pid) {
		work(on);
		for (;;)
			weir_sys1(SYS_exit, 0);
	}
	if (pid < 0)
		work(on);
	while (pid > 0 && weir_sys4(SYS_wait4, pid, 0, __WALL, 0) == -EINTR)
		;
	weir_sys4(SYS_rt_sigprocmask, 2, &old, 0, sizeof(old));
}
