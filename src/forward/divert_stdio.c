/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams: libc's own reads and writes nobody sees, so their files go straight
 * to the kernel. Everybody else who has such a file open does the same.
 */
#include "forward/adopt.h"
#include "forward/divert.h"
#include "forward/held.h"
#include "forward/known.h"
#include "spec/real.h"

#include <fcntl.h>

/* Before libc opens it, and perhaps cuts it. */
static int release_name(const char *path)
{
	struct weir_known known;

	if (path && weir_known_name(AT_FDCWD, path, true, &known))
		return weir_known_bypass(&known);
	return 0;
}

static int descriptor_of(void *stream)
{
	return stream ? weir_real.fileno(stream) : -1;
}

int weir_divert_fopen_before(struct weir_divert *hold, const char *path,
			     const char *mode)
{
	return release_name(path);
}

long weir_divert_fopen_after(struct weir_divert *hold, long stream)
{
	int fd = descriptor_of((void *)stream);

	if (fd >= 0 && weir_held_is_ours())
		weir_adopt_for_kernel(fd);
	return stream;
}

int weir_divert_fdopen_before(struct weir_divert *hold, int fd,
			      const char *mode)
{
	return weir_held_release_fd(fd);
}

long weir_divert_fdopen_after(struct weir_divert *hold, long stream)
{
	return stream;
}

/* It leaves the table before its number can become another's. */
int weir_divert_fclose_before(struct weir_divert *hold, void *stream)
{
	int fd = descriptor_of(stream);

	hold->opens[0] = -1;
	if (fd >= 0 && weir_held_is_ours())
		hold->opens[0] = weir_fdtable_swap(fd, -1);
	return 0;
}

long weir_divert_fclose_after(struct weir_divert *hold, long ret)
{
	if (hold->opens[0] >= 0)
		weir_held_drop((uint32_t)hold->opens[0]);
	return ret;
}

int weir_divert_freopen_before(struct weir_divert *hold, const char *path,
			       const char *mode, void *stream)
{
	weir_divert_fclose_before(hold, stream);
	release_name(path);
	return 0;
}

long weir_divert_freopen_after(struct weir_divert *hold, long stream)
{
	weir_divert_fclose_after(hold, 0);
	weir_divert_fopen_after(hold, stream);
	return stream;
}
