/* SPDX-License-Identifier: BSD-3-Clause */
/* Diverts reads and writes of forwarded files. */
#include "base/sys.h"
#include "forward/deferred/deferral.h"
#include "forward/divert/divert.h"
#include "forward/files/lazyopen.h"
#include "forward/files/openfiles.h"
#include "forward/files/opens.h"
#include "forward/log/transfer.h"
#include "forward/transfer/route.h"
#include "forward/transfer/touch.h"
#include "gate/gate.h"
#include "spec/real.h"

#include <fcntl.h>
#include <limits.h>

#define MOST 0x7ffff000ul /* that the kernel moves by one call */

#define HERE WEIR_TRANSFER_HERE

static long libc_result(int64_t done)
{
	if (done >= 0)
		return (long)done;
	weir_gate_set_errno((int)-done);
	return -1;
}

/*
 * False: the kernel is asked, which knows best what is wrong with the call,
 * or has the file for itself.
 */
static bool begin_transfer(struct weir_transfer *way, int refused)
{
	int open;

	if (weir_gate_unlikely(weir_deferral_is(way->fd))) {
		way->is_done = weir_deferral_move(way, refused == O_RDONLY,
						  &way->done);
		if (way->is_done)
			return true;
	}
	open = refused == O_WRONLY ? weir_lazyopen_look(way->fd)
				   : weir_lazyopen_get(way->fd);
	if (open < 0 || !way->total || way->total > SSIZE_MAX)
		return false;
	way->open = (uint32_t)open;
	way->flags = weir_openfiles_flags(way->open);
	if ((way->flags & O_ACCMODE) == (uint32_t)refused ||
	    weir_openfiles_is_kernels(way->open, way->fd))
		return false;
	if (way->total > MOST)
		way->total = MOST;
	return way->offset == HERE || way->offset <= INT64_MAX;
}

static bool add_up_parts(struct weir_transfer *way)
{
	if (way->count <= 0 || way->count > IOV_MAX ||
	    !weir_touch_can_read(way->parts,
				 (size_t)way->count * sizeof(*way->parts)))
		return false;
	for (int i = 0; i < way->count; i++) {
		if (way->parts[i].iov_len > SSIZE_MAX - way->total)
			return false;
		way->total += way->parts[i].iov_len;
	}
	return true;
}

static int64_t move_and_advance(struct weir_transfer *way, bool writes)
{
	int64_t done;

	way->offset =
		weir_opens_advance(weir_openfiles_at(way->open), way->total);
	done = writes ? weir_route_write(way) : weir_route_read(way);
	if (done < (int64_t)way->total)
		weir_opens_retreat(
			weir_openfiles_at(way->open), way->offset + way->total,
			way->offset + (done > 0 ? (uint64_t)done : 0));
	return done;
}

/* Nobody else moves the offset meanwhile, or gives it to the kernel. */
static int64_t move_on(struct weir_transfer *way, bool writes)
{
	bool taken = weir_opens_lock(weir_openfiles_at(way->open));
	int64_t done;

	if (weir_openfiles_flags(way->open) & WEIR_OPENFILES_KERNELS)
		done = weir_sys3(writes ? SYS_writev : SYS_readv, way->fd,
				 way->parts, way->count);
	else
		done = move_and_advance(way, writes);
	if (taken)
		weir_opens_unlock(weir_openfiles_at(way->open));
	return done;
}

/* Wherever pwrite is told to write, a file that is appended to grows. */
static int64_t append_transfer(struct weir_transfer *way)
{
	bool moves = way->offset == HERE,
	     taken = weir_opens_lock(weir_openfiles_at(way->open));
	uint64_t end = 0;
	int64_t done = weir_route_append(way, &end);

	if (moves && done > 0)
		atomic_store(&weir_openfiles_at(way->open)->offset, end);
	if (taken)
		weir_opens_unlock(weir_openfiles_at(way->open));
	return done;
}

static long write_transfer(struct weir_transfer *way)
{
	if (way->is_done)
		return libc_result(way->done);
	if (way->flags & O_APPEND)
		return libc_result(append_transfer(way));
	if (way->offset == HERE)
		return libc_result(move_on(way, true));
	return libc_result(weir_route_write(way));
}

static long read_transfer(struct weir_transfer *way)
{
	if (way->is_done)
		return libc_result(way->done);
	if (way->offset == HERE)
		return libc_result(move_on(way, false));
	return libc_result(weir_route_read(way));
}

#define ONE_PART(buf, len) (&(struct iovec){(void *)(uintptr_t)(buf), len})

long weir_divert_write(int fd, const void *buf, unsigned long len)
{
	struct weir_transfer way = {.fd = fd,
				    .parts = ONE_PART(buf, len),
				    .count = 1,
				    .total = len,
				    .offset = HERE};

	if (!begin_transfer(&way, O_RDONLY))
		return weir_real.write(fd, buf, len);
	return write_transfer(&way);
}

long weir_divert_pwrite(int fd, const void *buf, unsigned long len, long off)
{
	struct weir_transfer way = {.fd = fd,
				    .parts = ONE_PART(buf, len),
				    .count = 1,
				    .total = len,
				    .offset = (uint64_t)off};

	if (off < 0 || !begin_transfer(&way, O_RDONLY))
		return weir_real.pwrite(fd, buf, len, off);
	return write_transfer(&way);
}

long weir_divert_writev(int fd, const void *vec, int n)
{
	struct weir_transfer way = {
		.fd = fd, .parts = vec, .count = n, .offset = HERE};

	if (!add_up_parts(&way) || !begin_transfer(&way, O_RDONLY))
		return weir_real.writev(fd, vec, n);
	return write_transfer(&way);
}

long weir_divert_pwritev(int fd, const void *vec, int n, long off)
{
	struct weir_transfer way = {
		.fd = fd, .parts = vec, .count = n, .offset = (uint64_t)off};

	if (off < 0 || !add_up_parts(&way) || !begin_transfer(&way, O_RDONLY))
		return weir_real.pwritev(fd, vec, n, off);
	return write_transfer(&way);
}

long weir_divert_read(int fd, void *buf, unsigned long len)
{
	struct weir_transfer way = {.fd = fd,
				    .parts = ONE_PART(buf, len),
				    .count = 1,
				    .total = len,
				    .offset = HERE};

	if (!begin_transfer(&way, O_WRONLY))
		return weir_real.read(fd, buf, len);
	return read_transfer(&way);
}

long weir_divert_pread(int fd, void *buf, unsigned long len, long off)
{
	struct weir_transfer way = {.fd = fd,
				    .parts = ONE_PART(buf, len),
				    .count = 1,
				    .total = len,
				    .offset = (uint64_t)off};

	if (off < 0 || !begin_transfer(&way, O_WRONLY))
		return weir_real.pread(fd, buf, len, off);
	return read_transfer(&way);
}

long weir_divert_readv(int fd, const void *vec, int n)
{
	struct weir_transfer way = {
		.fd = fd, .parts = vec, .count = n, .offset = HERE};

	if (!add_up_parts(&way) || !begin_transfer(&way, O_WRONLY))
		return weir_real.readv(fd, vec, n);
	return read_transfer(&way);
}

long weir_divert_preadv(int fd, const void *vec, int n, long off)
{
	struct weir_transfer way = {
		.fd = fd, .parts = vec, .count = n, .offset = (uint64_t)off};

	if (off < 0 || !add_up_parts(&way) || !begin_transfer(&way, O_WRONLY))
		return weir_real.preadv(fd, vec, n, off);
	return read_transfer(&way);
}

/* What its flags ask for only the kernel can do. */
long weir_divert_preadv2(int fd, const void *vec, int n, long off, int flags)
{
	struct weir_divert hold;
	long ret;

	if (!flags)
		return off == -1 ? weir_divert_readv(fd, vec, n)
				 : weir_divert_preadv(fd, vec, n, off);
	ret = weir_divert_settle_before(&hold, fd, -1);
	if (ret)
		return libc_result(ret);
	ret = weir_real.preadv2(fd, vec, n, off, flags);
	return weir_divert_settle_after(&hold, ret);
}

long weir_divert_pwritev2(int fd, const void *vec, int n, long off, int flags)
{
	struct weir_divert hold;
	long ret;

	if (!flags)
		return off == -1 ? weir_divert_writev(fd, vec, n)
				 : weir_divert_pwritev(fd, vec, n, off);
	ret = weir_divert_settle_before(&hold, fd, -1);
	if (ret)
		return libc_result(ret);
	ret = weir_real.pwritev2(fd, vec, n, off, flags);
	return weir_divert_settle_after(&hold, ret);
}
