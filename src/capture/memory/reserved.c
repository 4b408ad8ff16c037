/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes a live file that the collector keeps for processes to come. */
#include "capture/memory/reserved.h"

#include "base/append.h"
#include "base/sys.h"
#include "capture/memory/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

#define NOREPLACE 1 /* RENAME_NOREPLACE; old headers lack it */

/* Not on the stack, which may be a small one. One thread at a time begins. */
static char path[WEIR_CONTROL_PATH];

/* The number of a file that is now ours alone, or -ENOENT. */
static int64_t claim_number(void)
{
	uint64_t word = atomic_load(&weir_control->reserve);

	do {
		if ((uint32_t)word >= (uint32_t)(word >> 32))
			return -ENOENT;
	} while (!atomic_compare_exchange_weak(&weir_control->reserve, &word,
					       word + 1));
	return (uint32_t)word;
}

/* To touch a page that is not there would end the program. */
static bool is_backed(long fd, size_t bytes)
{
	struct stat st;

	return !weir_sys2(SYS_fstat, fd, &st) && (size_t)st.st_size == bytes &&
	       (size_t)st.st_blocks * 512 >= bytes;
}

long weir_reserved_open(const char *directory, size_t bytes)
{
	int64_t number = claim_number();
	long fd;

	if (number < 0)
		return (long)number;
	weir_append_text(
		weir_append_number(weir_append_path(path, directory, ""),
				   (uint64_t)number),
		WEIR_CONTROL_RESERVE);
	fd = weir_sys4(SYS_openat, AT_FDCWD, path,
		       O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
	if (fd < 0 || is_backed(fd, bytes))
		return fd;
	weir_reserved_drop(fd);
	return -EBADMSG;
}

long weir_reserved_rename(const char *name)
{
	return weir_sys6(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, name,
			 NOREPLACE, 0);
}

void weir_reserved_drop(long fd)
{
	weir_sys1(SYS_close, fd);
	weir_sys3(SYS_unlinkat, AT_FDCWD, path, 0);
}
