/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses how bytes travel: by the log, an op, prefetched, or by the kernel. */
#include "forward/transfer/route.h"

#include "base/sys.h"
#include "forward/files/openfiles.h"
#include "forward/link/link.h"
#include "forward/log/log.h"
#include "forward/log/transfer.h"
#include "forward/prefetch/prefetch.h"
#include "forward/transfer/touch.h"
#include "spec/forward_stubs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The program wants it to be there at once, or by no memory in between. */
#define AT_ONCE (O_SYNC | O_DSYNC | O_DIRECT)
#define SMALL	4096 /* bytes */

/* The next bytes of it that go into a lane. */
static uint32_t next_bytes(struct weir_transfer_cursor *piece, void **ret_bytes)
{
	return weir_transfer_next(piece, WEIR_SESSION_LANE, ret_bytes);
}

static int64_t outcome(const struct weir_transfer_cursor *piece, int err)
{
	return piece->done || !err ? (int64_t)piece->done : err;
}

static bool is_there(const struct weir_transfer *way)
{
	uint64_t left = way->total;
	const struct iovec *part = way->parts;

	for (; left; part++) {
		size_t size = part->iov_len < left ? part->iov_len : left;

		if (!weir_touch_can_read(part->iov_base, size))
			return false;
		left -= size;
	}
	return true;
}

static void note_written(uint32_t open)
{
	_Atomic uint32_t *written = &weir_openfiles_at(open)->written;

	if (!atomic_load_explicit(written, memory_order_relaxed))
		atomic_store_explicit(written, 1, memory_order_relaxed);
}

/* The kernel has all that was written before, and does this one itself. */
static int64_t write_by_kernel(const struct weir_transfer *way)
{
	int ret = weir_openfiles_commit(way->open, WEIR_OPENFILES_STORE);

	if (ret)
		return ret;
	return weir_sys6(SYS_pwritev, way->fd, way->parts, way->count,
			 way->offset, 0, 0);
}

/* The daemon does it while we wait: it knows what it could not store. */
static int64_t write_by_op(const struct weir_transfer *way, uint64_t done)
{
	struct weir_transfer_cursor piece = weir_transfer_behind(way, done);
	struct weir_op_write_in in = {
		.open = way->open,
		.flags = (uint32_t)way->flags & O_SYNC,
	};
	struct weir_op_write_out out = {0};
	void *bytes;
	uint32_t size;
	int ret = 0;

	while ((size = next_bytes(&piece, &bytes))) {
		in.offset = way->offset + piece.done;
		ret = weir_stub_write(&in, &out, bytes, size);
		if (ret)
			break;
		weir_transfer_step(&piece, out.done);
		if (out.done < size)
			break;
	}
	return outcome(&piece, ret);
}

int64_t weir_route_write(const struct weir_transfer *way)
{
	int64_t done = 0;

	/* what may be written directly, only the kernel knows */
	if (way->flags & O_DIRECT ||
	    way->offset + way->total > WEIR_TRANSFER_FAR || !is_there(way))
		return write_by_kernel(way);
	note_written(way->open);
	if (!(way->flags & AT_ONCE))
		done = weir_log_write(way);
	if (done < 0 || (uint64_t)done == way->total)
		return done;
	return write_by_op(way, (uint64_t)done);
}

/* Where the kernel appended is known by its offset alone. */
static int64_t append_by_kernel(const struct weir_transfer *way,
				uint64_t *ret_end)
{
	int64_t done = weir_openfiles_commit(way->open, WEIR_OPENFILES_STORE);

	if (done)
		return done;
	done = weir_sys3(SYS_writev, way->fd, way->parts, way->count);
	*ret_end = (uint64_t)weir_sys3(SYS_lseek, way->fd, 0, SEEK_CUR);
	return done;
}

/* The daemon knows where the file ends, with what is not stored yet. */
static int64_t append_parts(const struct weir_transfer *way, uint64_t *ret_end)
{
	struct weir_transfer_cursor piece = weir_transfer_behind(way, 0);
	struct weir_op_write_in in = {
		.open = way->open,
		.flags = O_APPEND | ((uint32_t)way->flags & O_SYNC),
	};
	struct weir_op_write_out out = {0};
	void *bytes;
	uint32_t size;
	int ret = 0;

	while ((size = next_bytes(&piece, &bytes))) {
		ret = weir_stub_write(&in, &out, bytes, size);
		if (ret)
			break;
		*ret_end = out.offset + out.done;
		weir_transfer_step(&piece, out.done);
		if (out.done < size)
			break;
	}
	if (ret == -EBUSY && !piece.done)
		return append_by_kernel(way, ret_end);
	return outcome(&piece, ret);
}

/* Parts that are small go together: nobody's bytes come between them. */
static int64_t append_by_op(const struct weir_transfer *way, uint64_t *ret_end)
{
	unsigned char all[SMALL];
	struct iovec part = {.iov_base = all, .iov_len = way->total};
	struct weir_transfer whole = *way;
	struct weir_transfer_cursor piece = weir_transfer_behind(way, 0);

	if (way->count == 1 || way->total > SMALL)
		return append_parts(way, ret_end);
	weir_transfer_copy(&piece, all, (uint32_t)way->total);
	whole.parts = &part;
	whole.count = 1;
	return append_parts(&whole, ret_end);
}

/* What was promised room behind the end is written there, and nowhere else. */
static int64_t append_rest(const struct weir_transfer *way, uint64_t done,
			   uint64_t *ret_end)
{
	struct weir_transfer rest = *way;

	rest.offset = *ret_end - done;
	done = (uint64_t)write_by_op(&rest, done);
	*ret_end = rest.offset + done;
	return (int64_t)done;
}

int64_t weir_route_append(const struct weir_transfer *way, uint64_t *ret_end)
{
	int64_t done = 0;

	if (!is_there(way) ||
	    weir_link_flags(weir_openfiles_at(way->open)->file) &
		    WEIR_FILE_BYPASS)
		return append_by_kernel(way, ret_end);
	note_written(way->open);
	if (!(way->flags & AT_ONCE))
		done = weir_log_append(way, ret_end);
	if (done > 0 && (uint64_t)done < way->total)
		return append_rest(way, (uint64_t)done, ret_end);
	return done ? done : append_by_op(way, ret_end);
}

static int64_t read_by_kernel(const struct weir_transfer *way)
{
	return weir_sys6(SYS_preadv, way->fd, way->parts, way->count,
			 way->offset, 0, 0);
}

/* What cannot be put where the program wants it, the kernel refuses. */
static int64_t read_stored(const struct weir_transfer *way, void *bytes,
			   uint32_t size, uint64_t offset)
{
	int ret = weir_openfiles_commit(way->open, WEIR_OPENFILES_STORE);

	return ret ? ret : weir_sys4(SYS_pread64, way->fd, bytes, size, offset);
}

/* A lane full of it, from the daemon or, when it has nothing, the kernel. */
static int64_t read_bytes(const struct weir_transfer_cursor *piece, void *bytes,
			  uint32_t size)
{
	const struct weir_transfer *way = piece->way;
	struct weir_op_read_in in = {.open = way->open,
				     .offset = way->offset + piece->done,
				     .length = size};
	struct weir_op_read_out out = {0};
	uint32_t got;
	int ret;

	if (!weir_touch_can_write(bytes, size))
		return read_stored(way, bytes, size, in.offset);
	ret = weir_stub_read(&in, &out, bytes, size, &got);
	if (ret)
		return ret;
	if (!out.clean)
		return got;
	return weir_sys4(SYS_pread64, way->fd, bytes, size, in.offset);
}

static int64_t read_kernels(const struct weir_transfer_cursor *piece,
			    void *bytes, uint32_t size)
{
	return weir_sys4(SYS_pread64, piece->way->fd, bytes, size,
			 piece->way->offset + piece->done);
}

/* From where the piece is, one part after the other. */
static int64_t read_parts(struct weir_transfer_cursor *piece,
			  int64_t (*read)(const struct weir_transfer_cursor *,
					  void *, uint32_t))
{
	int64_t got = 0;
	void *bytes;
	uint32_t size;

	while ((size = next_bytes(piece, &bytes))) {
		got = read(piece, bytes, size);
		if (got > 0)
			weir_transfer_step(piece, (uint32_t)got);
		if (got < (int64_t)size)
			break;
	}
	return outcome(piece, got < 0 ? (int)got : 0);
}

static int64_t read_by_op(const struct weir_transfer *way)
{
	struct weir_transfer_cursor piece = weir_transfer_behind(way, 0);

	return read_parts(&piece, read_bytes);
}

/* As far as prefetched blocks go; what follows is where the piece is then. */
static void read_blocks(struct weir_transfer_cursor *piece, uint32_t writings)
{
	const struct weir_transfer *way = piece->way;
	struct weir_prefetch_copy copy = {.open = way->open,
					  .writings = writings};
	uint32_t got = 1;

	while (got && (copy.size = next_bytes(piece, &copy.to))) {
		copy.offset = way->offset + piece->done;
		got = weir_touch_can_write(copy.to, copy.size)
			      ? weir_prefetch_copy(&copy)
			      : 0;
		weir_transfer_step(piece, got);
	}
	weir_prefetch_note(way->open, way->offset, way->total, piece->done);
}

/* Nobody writes it: what blocks have of it, then the others. */
static int64_t read_prefetched(const struct weir_transfer *way,
			       uint32_t writings, bool is_served)
{
	struct weir_transfer_cursor piece = weir_transfer_behind(way, 0);
	uint64_t start;
	int64_t got;

	read_blocks(&piece, writings);
	if (piece.done)
		return read_parts(&piece,
				  is_served ? read_bytes : read_kernels);
	start = weir_prefetch_start(way->open);
	got = is_served ? read_parts(&piece, read_bytes) : read_by_kernel(way);
	weir_prefetch_stop(way->open, start, got);
	return got;
}

int64_t weir_route_read(const struct weir_transfer *way)
{
	uint32_t file = weir_openfiles_at(way->open)->file;
	uint32_t writings = weir_link_writings(file);
	uint32_t flags = weir_link_flags(file);
	bool is_near =
		!(way->flags & O_DIRECT) && way->offset < WEIR_TRANSFER_FAR;
	int ret;

	if (!(flags & WEIR_FILE_WRITTEN) && is_near && weir_link.prefetch)
		return read_prefetched(way, writings, flags & WEIR_FILE_SERVED);
	if (!(flags & (WEIR_FILE_WRITTEN | WEIR_FILE_SERVED)))
		return read_by_kernel(way);
	if (is_near)
		return read_by_op(way);
	ret = weir_openfiles_commit(way->open, WEIR_OPENFILES_STORE);
	return ret ? ret : read_by_kernel(way);
}
