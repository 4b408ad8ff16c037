/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives back to the kernel what is mapped or used by asynchronous calls. */
#include "forward/deferred/release.h"
#include "forward/divert/divert.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/opens.h"
#include "forward/transfer/touch.h"
#include "gate/fdtable.h"

#include <aio.h>
#include <stddef.h>
#include <sys/mman.h>

/* As in <linux/aio_abi.h>: where a control block has its descriptor. */
#define IOCB_FD 20

/*
 * A mapping stays when the descriptor is closed: the file stays open for the
 * service as long as the process lives.
 */
int weir_divert_map_before(struct weir_divert *hold, int flags, int fd)
{
	int ret, open;
	uint32_t old;

	if (flags & MAP_ANONYMOUS)
		return 0;
	ret = weir_release_fd(fd);
	open = weir_fdtable_peek(fd);
	if (ret || open < 0)
		return ret;
	if (weir_lazyopen_is(open)) {
		weir_lazyopen_count(open);
		return 0;
	}
	old = atomic_fetch_or(&weir_openfiles_at((uint32_t)open)->flags,
			      WEIR_OPENFILES_MAPPED);
	if (!(old & WEIR_OPENFILES_MAPPED))
		weir_opens_share(weir_openfiles_at((uint32_t)open));
	return 0;
}

long weir_divert_map_after(struct weir_divert *hold, long ret)
{
	return ret;
}

static int release_at(const void *block, size_t place)
{
	const int *fd = (const int *)((const char *)block + place);

	if (block && weir_touch_can_read(fd, sizeof(*fd)))
		return weir_release_fd(*fd);
	return 0;
}

int weir_divert_aio_before(struct weir_divert *hold, const void *block)
{
	return release_at(block, offsetof(struct aiocb, aio_fildes));
}

long weir_divert_aio_after(struct weir_divert *hold, long ret)
{
	return ret;
}

static int release_list(const void *list, long count, size_t place)
{
	const void *const *blocks = list;
	int ret = 0;

	if (count <= 0 || weir_fdtable_next(0, UINT32_MAX) < 0 ||
	    !weir_touch_can_read(list, (size_t)count * sizeof(*blocks)))
		return 0;
	for (long i = 0; i < count && !ret; i++)
		ret = release_at(blocks[i], place);
	return ret;
}

int weir_divert_aio_list_before(struct weir_divert *hold, const void *list,
				int count)
{
	return release_list(list, count, offsetof(struct aiocb, aio_fildes));
}

long weir_divert_aio_list_after(struct weir_divert *hold, long ret)
{
	return ret;
}

int weir_divert_iocb_list_before(struct weir_divert *hold, const void *list,
				 long count)
{
	return release_list(list, count, IOCB_FD);
}

long weir_divert_iocb_list_after(struct weir_divert *hold, long ret)
{
	return ret;
}

/* What is put into a queue of io_uring, no call shows. */
int weir_divert_uring_before(struct weir_divert *hold)
{
	return weir_divert_outside_before(hold);
}

long weir_divert_uring_after(struct weir_divert *hold, long ret)
{
	return ret;
}
