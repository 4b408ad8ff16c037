/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that the kernel must do itself with a file, so all must be there. */
#include "scribble.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#define COPY_MOST (128 << 10)

static bool lacks(const struct book_open *open, int mode)
{
	return (open->flags & O_ACCMODE) == mode;
}

/* What a copy at these places moves; then the kernel does it. */
static void copy_range(struct worker *worker,
		       const struct scribble_handle *from,
		       const struct scribble_handle *to)
{
	uint32_t source = book->opens[from->open].inode;
	uint32_t target = book->opens[to->open].inode;
	uint64_t length = scribble_any(worker, COPY_MOST) + 1;
	loff_t in = (loff_t)scribble_offset(worker, length);
	loff_t out = (loff_t)scribble_offset(worker, length);
	uint64_t right = book_left(source, (uint64_t)in, length);

	scribble_expect(worker, (int)source,
			copy_file_range(from->fd, &in, to->fd, &out, length, 0),
			(int64_t)right);
	if (right)
		book_write(target, book->bytes[source] + in - right, right,
			   (uint64_t)out - right);
}

/* Both inodes, in the order of their numbers. */
static void lock_two(uint32_t one, uint32_t other)
{
	pthread_mutex_lock(&book->inodes[one < other ? one : other].lock);
	pthread_mutex_lock(&book->inodes[one < other ? other : one].lock);
}

static void act_copy(struct worker *worker)
{
	struct scribble_handle *from = scribble_pick(worker);
	struct scribble_handle *to = scribble_pick(worker);
	struct book_open *source, *target;

	if (!from || !to)
		return;
	source = &book->opens[from->open];
	target = &book->opens[to->open];
	if (source->inode == target->inode)
		return;
	lock_two(source->inode, target->inode);
	if (!lacks(source, O_WRONLY) && !lacks(target, O_RDONLY) &&
	    !(target->flags & O_APPEND))
		copy_range(worker, from, to);
	pthread_mutex_unlock(&book->inodes[source->inode].lock);
	pthread_mutex_unlock(&book->inodes[target->inode].lock);
}

/* Also lengthens it. */
static void act_fallocate(struct worker *worker)
{
	struct scribble_handle *handle = scribble_pick(worker);
	uint64_t length = scribble_length(worker), at;
	struct book_open *open;

	if (!handle)
		return;
	at = scribble_offset(worker, length);
	open = scribble_begin(handle);
	if (!lacks(open, O_RDONLY)) {
		scribble_expect(
			worker, (int)open->inode,
			posix_fallocate(handle->fd, (off_t)at, (off_t)length),
			0);
		if (at + length > book->inodes[open->inode].size)
			book->inodes[open->inode].size = at + length;
	}
	scribble_end(worker, open, (int64_t)at, (int64_t)length);
}

/* From now on it is the kernel's until all have closed it. */
static void act_mmap(struct worker *worker)
{
	struct scribble_handle *handle = scribble_pick(worker);
	struct book_open *open;
	uint64_t size;
	void *map;

	if (!handle)
		return;
	open = scribble_begin(handle);
	size = book->inodes[open->inode].size;
	if (!lacks(open, O_WRONLY) && size) {
		map = mmap(NULL, size, PROT_READ, MAP_SHARED, handle->fd, 0);
		if (map == MAP_FAILED ||
		    memcmp(map, book->bytes[open->inode], size))
			book_fail((int)open->inode,
				  "worker %u: a map of %lu bytes is not what "
				  "was written",
				  worker->number, (unsigned long)size);
		if (map != MAP_FAILED)
			munmap(map, size);
	}
	scribble_end(worker, open, 0, (int64_t)size);
}

static void compare_stream(struct worker *worker, int inode, FILE *stream)
{
	uint64_t right = book_left((uint32_t)inode, 0, SCRIBBLE_LONGEST);
	size_t got = fread(worker->in, 1, SCRIBBLE_LONGEST, stream);

	scribble_expect(worker, inode, (int64_t)got, (int64_t)right);
	if (memcmp(worker->in, book->bytes[inode], right))
		book_fail(inode,
			  "worker %u: fread of %lu bytes is not what "
			  "was written",
			  worker->number, (unsigned long)right);
}

static void act_stream(struct worker *worker)
{
	char path[PATH_MAX];
	uint32_t name = (uint32_t)scribble_any(worker, BOOK_NAMES);
	int inode;
	FILE *stream;

	if (worker->is_child)
		return; /* malloc of another thread may be busy for ever */
	scribble_path(path, sizeof(path), name);
	pthread_mutex_lock(&book->lock);
	inode = book->names[name];
	if (inode >= 0) {
		pthread_mutex_lock(&book->inodes[inode].lock);
		stream = fopen(path, "re");
		if (stream) {
			compare_stream(worker, inode, stream);
			fclose(stream);
		} else {
			book_fail(inode, "fopen of %s: %m", path);
		}
		pthread_mutex_unlock(&book->inodes[inode].lock);
	}
	pthread_mutex_unlock(&book->lock);
}

const struct scribble_kind scribble_rough_kinds[] = {
	{"copy_file_range", 0, 4, act_copy},
	{"fallocate", 0, 2, act_fallocate},
	{"mmap", 0, 2, act_mmap},
	{"fopen", 0, 2, act_stream},
	{0},
};
