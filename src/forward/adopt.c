/* SPDX-License-Identifier: BSD-3-Clause */
/* forward: descriptors that become forwarded ones. */
#include "forward/adopt.h"

#include "base/sys.h"
#include "forward/held.h"
#include "forward/known.h"
#include "gate/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>

static bool for_kernel_all;

/* A limit signals, too: that is the kernel's. */
static bool is_limited(void)
{
	struct rlimit limit;

	return weir_sys4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &limit) ||
	       limit.rlim_cur != RLIM_INFINITY;
}

/* Its name has to be asked for, so first what is asked for easily. */
static bool is_ours(int fd, char *name, struct weir_known *ret_known)
{
	struct stat about;

	if (weir_confined || weir_sys2(SYS_fstat, fd, &about) ||
	    !S_ISREG(about.st_mode) || !about.st_nlink)
		return false;
	if (!weir_known_name_of(fd, name, PATH_MAX))
		return false;
	return weir_known_file(&about, fd, NULL, ret_known) ||
	       weir_link_wants(name);
}

static int hand_over(int fd, int flags, const char *name, bool for_kernel)
{
	uint32_t open;
	int ret = weir_link_attach();

	if (!ret && (unsigned)fd >= WEIR_FDTABLE_COUNT)
		ret = -EMFILE;
	if (!ret)
		ret = weir_link_open(fd, flags, name, &open);
	if (ret)
		return ret;
	weir_fdtable_set(fd, (int)open);
	if (for_kernel)
		ret = weir_held_release(open, fd);
	return ret;
}

static int adopt(int fd, int flags, bool for_kernel)
{
	char name[PATH_MAX];
	struct weir_known known;
	int old = weir_fdtable_swap(fd, -1), ret;

	if (old >= 0)
		weir_held_drop((uint32_t)old); /* closed behind our back */
	if (!is_ours(fd, name, &known))
		return 0;
	ret = hand_over(fd, flags, name, for_kernel);
	if (ret && weir_link.board)
		weir_known_bypass(&known);
	return ret;
}

int weir_adopt(int fd, int flags)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY;

	return adopt(fd, flags, for_kernel_all || (writes && is_limited()));
}

int weir_adopt_for_kernel(int fd)
{
	long flags = weir_sys2(SYS_fcntl, fd, F_GETFL);

	return flags < 0 ? (int)flags : adopt(fd, (int)flags, true);
}

void weir_adopt_nothing_more(void)
{
	int fd = -1;

	for_kernel_all = true;
	while ((fd = weir_held_next((unsigned)fd + 1, UINT32_MAX)) >= 0)
		weir_held_release_fd(fd);
}
