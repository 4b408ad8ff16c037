/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes descriptors that were opened into the table of forwarded ones. */
#include "forward/files/adopt.h"

#include "base/sys.h"
#include "forward/files/handover.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/procnames.h"
#include "forward/files/servedfiles.h"
#include "forward/link/link.h"
#include "gate/confined.h"
#include "gate/fdtable.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>

static bool for_kernel_all;

/* A limit signals, too: that is the kernel's. */
bool weir_adopt_is_limited(void)
{
	struct rlimit limit;

	return weir_sys4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, &limit) ||
	       limit.rlim_cur != RLIM_INFINITY;
}

/* A file that the service has already is ours whatever its name. */
static bool is_forwarded(int fd, char *name, struct stat *ret_about,
			 struct weir_servedfile *ret_served)
{
	bool has_name;

	if (weir_confined || weir_sys2(SYS_fstat, fd, ret_about) ||
	    !S_ISREG(ret_about->st_mode))
		return false;
	has_name = weir_procnames_path(fd, name, PATH_MAX);
	return weir_servedfiles_find(ret_about, fd, NULL, ret_served) ||
	       (has_name && ret_about->st_nlink && weir_link_wants(name));
}

/* It is the service's: at once, or when it is used. */
static int enter_table(struct weir_handover *file, const struct stat *about,
		       bool for_kernel)
{
	int ret;

	if (weir_lazyopen_begin(file->fd, about, for_kernel, &ret))
		return ret;
	ret = weir_handover(file);
	if (ret)
		return ret;
	weir_fdtable_set(file->fd, (int)file->open);
	return for_kernel ? weir_openfiles_leave(file->open) : 0;
}

static int adopt_as(int fd, int flags, bool for_kernel)
{
	char name[PATH_MAX];
	struct weir_handover file = {.fd = fd, .flags = flags, .name = name};
	struct weir_servedfile served;
	struct stat about;
	int old = weir_fdtable_swap(fd, -1), ret;

	if (old >= 0)
		weir_lazyopen_drop(old); /* closed behind our back */
	if (!is_forwarded(fd, name, &about, &served))
		return 0;
	ret = enter_table(&file, &about, for_kernel);
	if (ret && served.turn)
		weir_servedfiles_bypass(&served);
	return ret;
}

int weir_adopt(int fd, int flags)
{
	bool writes = (flags & O_ACCMODE) != O_RDONLY;

	return adopt_as(fd, flags,
			for_kernel_all || (writes && weir_adopt_is_limited()));
}

int weir_adopt_for_kernel(int fd)
{
	long flags = weir_sys2(SYS_fcntl, fd, F_GETFL);

	return flags < 0 ? (int)flags : adopt_as(fd, (int)flags, true);
}

bool weir_adopt_takes_nothing(void)
{
	return for_kernel_all;
}

void weir_adopt_nothing_more(void)
{
	for_kernel_all = true;
}

#define LISTED 2048 /* bytes of names at a time */

/* As getdents64 tells it. */
struct entry {
	uint64_t ino, off;
	uint16_t length;
	uint8_t type;
	char name[];
};

/* They are opened for a moment, the directory too, but none of it is ours. */
static void adopt_listed(const char *list, long bytes, int directory)
{
	const struct entry *entry;
	struct stat about;
	int fd;

	for (long at = 0; at < bytes; at += entry->length) {
		entry = (const struct entry *)(list + at);
		fd = weir_procnames_fd(entry->name);
		if (fd >= 0 && fd != directory &&
		    !weir_sys2(SYS_fstat, fd, &about) && S_ISREG(about.st_mode))
			weir_adopt_for_kernel(fd);
	}
}

void weir_adopt_inherited(void)
{
	_Alignas(struct entry) char list[LISTED];
	long got, fd = weir_sys4(SYS_openat, AT_FDCWD, "/proc/self/fd",
				 O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

	if (fd < 0)
		return;
	while ((got = weir_sys3(SYS_getdents64, fd, list, sizeof(list))) > 0)
		adopt_listed(list, got, (int)fd);
	weir_sys1(SYS_close, fd);
}
