/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done to an open file: data, offsets, sizes. */
#include "scribble.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct scribble_handle *scribble_pick(struct worker *worker)
{
	uint64_t first = scribble_any(worker, SCRIBBLE_HANDLES);

	for (uint64_t i = 0; i < SCRIBBLE_HANDLES; i++) {
		struct scribble_handle *handle =
			&worker->handles[(first + i) % SCRIBBLE_HANDLES];

		if (handle->fd >= 0)
			return handle;
	}
	scribble_open_any(worker);
	return NULL;
}

struct book_open *scribble_begin(struct scribble_handle *handle)
{
	struct book_open *open = &book->opens[handle->open];

	pthread_mutex_lock(&book->inodes[open->inode].lock);
	return open;
}

void scribble_end(struct worker *worker, const struct book_open *open,
		  int64_t offset, int64_t length)
{
	book_note(open->inode, (struct book_note){.worker = worker->number,
						  .kind = worker->kind,
						  .number = worker->operation,
						  .offset = offset,
						  .length = length});
	pthread_mutex_unlock(&book->inodes[open->inode].lock);
}

void scribble_expect(struct worker *worker, int inode, int64_t got,
		     int64_t right)
{
	if (got != right)
		book_fail(inode,
			  "worker %u%s, %s [%lu]: returned %ld (errno %d), "
			  "must be %ld",
			  worker->number, worker->is_child ? "'s child" : "",
			  book_kind_name(worker->kind),
			  (unsigned long)worker->operation, (long)got, errno,
			  (long)right);
}

static bool may(const struct book_open *open, int not_with)
{
	return (open->flags & O_ACCMODE) != not_with;
}

/* Cuts `length` into some pieces, of which some have none. */
static int make_pieces(struct worker *worker, uint8_t *bytes, uint64_t length,
		       struct iovec *pieces)
{
	int count = 1 + (int)scribble_any(worker, SCRIBBLE_PIECES);

	for (int i = 0; i < count; i++) {
		uint64_t part = i == count - 1
					? length
					: scribble_any(worker, length + 1);

		pieces[i] = (struct iovec){bytes, part};
		bytes += part;
		length -= part;
	}
	return count;
}

/* One of the calls, by its number below. */
enum way {
	AT_OFFSET, /* the open file's */
	AT_OFFSET_PIECES,
	AT_PLACE,
	AT_PLACE_PIECES,
	AT_PLACE_PIECES2, /* the call with flags */
};

static bool is_at_offset(enum way way)
{
	return way == AT_OFFSET || way == AT_OFFSET_PIECES;
}

static ssize_t call_write(struct worker *worker, enum way way, int fd,
			  uint64_t length, uint64_t offset)
{
	struct iovec pieces[SCRIBBLE_PIECES + 1];
	int count = make_pieces(worker, worker->out, length, pieces);

	switch (way) {
	case AT_OFFSET:
		return write(fd, worker->out, length);
	case AT_OFFSET_PIECES:
		return writev(fd, pieces, count);
	case AT_PLACE:
		return pwrite(fd, worker->out, length, (off_t)offset);
	case AT_PLACE_PIECES:
		return pwritev(fd, pieces, count, (off_t)offset);
	default:
		return pwritev2(fd, pieces, count, (off_t)offset, 0);
	}
}

static ssize_t call_read(struct worker *worker, enum way way, int fd,
			 uint64_t length, uint64_t offset)
{
	struct iovec pieces[SCRIBBLE_PIECES + 1];
	int count = make_pieces(worker, worker->in, length, pieces);

	switch (way) {
	case AT_OFFSET:
		return read(fd, worker->in, length);
	case AT_OFFSET_PIECES:
		return readv(fd, pieces, count);
	case AT_PLACE:
		return pread(fd, worker->in, length, (off_t)offset);
	case AT_PLACE_PIECES:
		return preadv(fd, pieces, count, (off_t)offset);
	default:
		return preadv2(fd, pieces, count, (off_t)offset, 0);
	}
}

/* Where a write goes: with O_APPEND always to the end, as Linux does. */
static uint64_t place_write(struct worker *worker, struct book_open *open,
			    enum way way, uint64_t length)
{
	if (open->flags & O_APPEND)
		return book->inodes[open->inode].size;
	if (is_at_offset(way))
		return open->offset;
	return scribble_offset(worker, length);
}

/* From some operation on, some writes are wrong, and some are not made. */
static bool is_spoiled(struct worker *worker, uint64_t length)
{
	if (!book->spoil || atomic_load(&book->total) < book->spoil ||
	    scribble_any(worker, 64))
		return false;
	worker->out[length / 2] ^= 1;
	return scribble_any(worker, 2);
}

static void do_write(struct worker *worker, enum way way)
{
	struct scribble_handle *handle = scribble_pick(worker);
	uint64_t length = scribble_length(worker), at;
	struct book_open *open;
	ssize_t done;

	if (!handle)
		return;
	scribble_fill(worker, length);
	open = scribble_begin(handle);
	at = place_write(worker, open, way, length);
	if (at >= BOOK_MOST || !may(open, O_RDONLY)) {
		scribble_end(worker, open, -1, 0);
		return;
	}
	if (length > BOOK_MOST - at)
		length = BOOK_MOST - at;
	book_write(open->inode, worker->out, length, at);
	done = is_spoiled(worker, length)
		       ? (ssize_t)length
		       : call_write(worker, way, handle->fd, length, at);
	scribble_expect(worker, (int)open->inode, done, (int64_t)length);
	if (is_at_offset(way))
		open->offset = at + length;
	atomic_fetch_add(&book->bytes_written, length);
	scribble_end(worker, open, (int64_t)at, (int64_t)length);
}

static void compare(struct worker *worker, uint32_t inode, uint64_t at,
		    uint64_t length)
{
	const uint8_t *right = book->bytes[inode] + at;
	uint64_t i = 0;

	if (!length || !memcmp(worker->in, right, length))
		return;
	while (worker->in[i] == right[i])
		i++;
	book_fail((int)inode,
		  "worker %u%s, %s [%lu] of %lu bytes at %lu: byte %lu is "
		  "%02x, must be %02x",
		  worker->number, worker->is_child ? "'s child" : "",
		  book_kind_name(worker->kind),
		  (unsigned long)worker->operation, (unsigned long)length,
		  (unsigned long)at, (unsigned long)(at + i), worker->in[i],
		  right[i]);
}

static void do_read(struct worker *worker, enum way way)
{
	struct scribble_handle *handle = scribble_pick(worker);
	uint64_t length = scribble_length(worker), at, right;
	struct book_open *open;

	if (!handle)
		return;
	open = scribble_begin(handle);
	at = is_at_offset(way) ? open->offset : scribble_offset(worker, length);
	if (!may(open, O_WRONLY)) {
		scribble_end(worker, open, -1, 0);
		return;
	}
	right = book_left(open->inode, at, length);
	scribble_expect(worker, (int)open->inode,
			call_read(worker, way, handle->fd, length, at),
			(int64_t)right);
	compare(worker, open->inode, at, right);
	if (is_at_offset(way))
		open->offset = at + right;
	atomic_fetch_add(&book->bytes_read, right);
	scribble_end(worker, open, (int64_t)at, (int64_t)length);
}

static void act_write(struct worker *worker)
{
	do_write(worker, AT_OFFSET);
}

static void act_writev(struct worker *worker)
{
	do_write(worker, AT_OFFSET_PIECES);
}

static void act_pwrite(struct worker *worker)
{
	do_write(worker, AT_PLACE);
}

static void act_pwritev(struct worker *worker)
{
	do_write(worker, AT_PLACE_PIECES);
}

static void act_pwritev2(struct worker *worker)
{
	do_write(worker, AT_PLACE_PIECES2);
}

static void act_read(struct worker *worker)
{
	do_read(worker, AT_OFFSET);
}

static void act_readv(struct worker *worker)
{
	do_read(worker, AT_OFFSET_PIECES);
}

static void act_pread(struct worker *worker)
{
	do_read(worker, AT_PLACE);
}

static void act_preadv(struct worker *worker)
{
	do_read(worker, AT_PLACE_PIECES);
}

static void act_preadv2(struct worker *worker)
{
	do_read(worker, AT_PLACE_PIECES2);
}

/* Where holes are is the file system's business: only the bounds are known. */
static void seek_hole(struct worker *worker,
		      const struct scribble_handle *handle,
		      struct book_open *open, int whence)
{
	uint64_t size = book->inodes[open->inode].size;
	uint64_t from = scribble_any(worker, size + 1);
	off_t found = lseek(handle->fd, (off_t)from, whence);

	if (found < 0 && errno == ENXIO &&
	    (from == size || whence == SEEK_DATA))
		return;
	if (found < (off_t)from || found > (off_t)size)
		scribble_expect(worker, (int)open->inode, found, (int64_t)from);
	open->offset = (uint64_t)found;
}

/* With what it starts from, as the model has it and as it is. */
static void fail_seek(struct worker *worker,
		      const struct scribble_handle *handle,
		      const struct book_open *open, int whence, off_t by,
		      off_t got)
{
	int why = errno;
	long at = (long)lseek(handle->fd, 0, SEEK_CUR);
	long end = (long)lseek(handle->fd, 0, SEEK_END);

	book_fail((int)open->inode,
		  "worker %u, lseek [%lu] by %ld from %d returned %ld (errno "
		  "%d): was at %ld, is at %ld; ends at %ld, is said to end at "
		  "%ld",
		  worker->number, (unsigned long)worker->operation, (long)by,
		  whence, (long)got, why, (long)open->offset, at,
		  (long)book->inodes[open->inode].size, end);
}

static void seek_plain(struct worker *worker,
		       const struct scribble_handle *handle,
		       struct book_open *open, int whence)
{
	const uint64_t from[] = {[SEEK_SET] = 0,
				 [SEEK_CUR] = open->offset,
				 [SEEK_END] = book->inodes[open->inode].size};
	uint64_t to = scribble_offset(worker, 1);
	off_t by = (off_t)to - (off_t)from[whence];
	off_t got = lseek(handle->fd, by, whence);

	if (got != (off_t)to)
		fail_seek(worker, handle, open, whence, by, got);
	open->offset = to;
}

static void act_lseek(struct worker *worker)
{
	struct scribble_handle *handle = scribble_pick(worker);
	uint64_t chance = scribble_any(worker, 40);
	struct book_open *open;

	if (!handle)
		return;
	open = scribble_begin(handle);
	if (chance < 2)
		seek_hole(worker, handle, open, chance ? SEEK_HOLE : SEEK_DATA);
	else
		seek_plain(worker, handle, open, (int)(chance % 3));
	scribble_end(worker, open, (int64_t)open->offset, 0);
}

static void act_ftruncate(struct worker *worker)
{
	struct scribble_handle *handle = scribble_pick(worker);
	uint64_t to = scribble_offset(worker, 1);
	struct book_open *open;

	if (!handle)
		return;
	open = scribble_begin(handle);
	if (may(open, O_RDONLY)) {
		scribble_expect(worker, (int)open->inode,
				ftruncate(handle->fd, (off_t)to), 0);
		book_cut(open->inode, to);
	}
	scribble_end(worker, open, (int64_t)to, 0);
}

static void act_fstat(struct worker *worker)
{
	struct scribble_handle *handle = scribble_pick(worker);
	struct book_open *open;
	struct stat facts;

	if (!handle)
		return;
	open = scribble_begin(handle);
	scribble_expect(worker, (int)open->inode, fstat(handle->fd, &facts), 0);
	scribble_expect(worker, (int)open->inode, facts.st_size,
			(int64_t)book->inodes[open->inode].size);
	scribble_end(worker, open, facts.st_size, 0);
}

static void act_sync(struct worker *worker)
{
	struct scribble_handle *handle = scribble_pick(worker);
	struct book_open *open;
	int status;

	if (!handle)
		return;
	open = scribble_begin(handle);
	status = scribble_any(worker, 2) ? fsync(handle->fd)
					 : fdatasync(handle->fd);
	scribble_expect(worker, (int)open->inode, status, 0);
	scribble_end(worker, open, 0, 0);
}

/* O_APPEND comes and goes. */
static void act_setfl(struct worker *worker)
{
	struct scribble_handle *handle = scribble_pick(worker);
	struct book_open *open;
	int flags;

	if (!handle)
		return;
	open = scribble_begin(handle);
	flags = scribble_any(worker, 4) ? 0 : O_APPEND;
	scribble_expect(worker, (int)open->inode,
			fcntl(handle->fd, F_SETFL, flags), 0);
	scribble_expect(worker, (int)open->inode,
			fcntl(handle->fd, F_GETFL) & O_APPEND, flags);
	open->flags = (open->flags & ~O_APPEND) | flags;
	scribble_end(worker, open, flags, 0);
}

const struct scribble_kind scribble_data_kinds[] = {
	{"write", 130, 130, act_write},	    {"writev", 40, 40, act_writev},
	{"pwrite", 200, 200, act_pwrite},   {"pwritev", 50, 50, act_pwritev},
	{"pwritev2", 20, 20, act_pwritev2}, {"read", 60, 60, act_read},
	{"readv", 20, 20, act_readv},	    {"pread", 110, 110, act_pread},
	{"preadv", 30, 30, act_preadv},	    {"preadv2", 10, 10, act_preadv2},
	{"lseek", 60, 60, act_lseek},	    {"ftruncate", 8, 8, act_ftruncate},
	{"fstat", 30, 30, act_fstat},	    {"fsync", 2, 4, act_sync},
	{"setfl", 6, 6, act_setfl},	    {0},
};
