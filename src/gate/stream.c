/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows the buffers of streams, and knows those without a descriptor. */
#include "gate/stream.h"

#include <stddef.h>
#include <stdio.h>

#define SAME(ours, theirs)                                                     \
	_Static_assert(offsetof(struct weir_stream, ours) ==                   \
			       offsetof(struct _IO_FILE, theirs),              \
		       #ours)

SAME(flags, _flags);
SAME(read_ptr, _IO_read_ptr);
SAME(read_end, _IO_read_end);
SAME(write_base, _IO_write_base);
SAME(write_ptr, _IO_write_ptr);
SAME(buf_base, _IO_buf_base);
SAME(buf_end, _IO_buf_end);
SAME(save_base, _IO_save_base);
SAME(save_end, _IO_save_end);
SAME(chain, _chain);
SAME(fd, _fileno);
SAME(lock, _lock);
SAME(offset, _offset);
SAME(mode, _mode);

struct weir_stream_book weir_stream_books[WEIR_OFD_COUNT];

/*
 * The buffer itself is then kept in the other pair of pointers. To put back
 * into a stream that writes confuses libc, and us.
 */
uint64_t weir_stream_ahead_of_backup(const struct weir_stream *s)
{
	if (s->flags & WEIR_STREAM_PUTTING)
		return WEIR_STREAM_LOST;
	return ((uint64_t)(s->read_end - s->read_ptr) +
		(uint64_t)(s->save_end - s->save_base)) | WEIR_STREAM_TURNED;
}

static void start_book(struct weir_stream_book *book,
		       const struct weir_stream *s)
{
	atomic_store(&book->pending, weir_stream_pending(s));
	atomic_store(&book->ahead,
		     weir_stream_ahead(s) & ~WEIR_STREAM_TURNED);
	atomic_store(&book->offset, s->offset);
	atomic_store(&book->put, 0);
	atomic_store(&book->got, 0);
	atomic_store(&book->crowd, 0);
	atomic_store(&book->blind, 0);
}

void weir_stream_open_book(uint32_t ofd, const struct weir_stream *s)
{
	start_book(&weir_stream_books[ofd], s);
	atomic_store(&weir_stream_books[ofd].owner, (uintptr_t)s);
}

/* Of several threads that meet it, the first is right. */
void weir_stream_meet_book(uint32_t ofd, const struct weir_stream *s)
{
	uintptr_t none = 0;

	if (atomic_compare_exchange_strong(&weir_stream_books[ofd].owner,
					   &none, (uintptr_t)s))
		start_book(&weir_stream_books[ofd], s);
}

void weir_stream_close_book(uint32_t ofd)
{
	atomic_store(&weir_stream_books[ofd].owner, 0);
}

#define UNNAMED 1024
#define PROBES  32

/* Addresses are only compared, so one that is gone does no harm. */
static struct {
	_Atomic uintptr_t stream;
	_Atomic uint32_t handle;
} unnamed[UNNAMED];

static uint32_t unnamed_place(const struct weir_stream *s, uint32_t probe)
{
	return (uint32_t)((uintptr_t)s / 16 % 1021 + probe) % UNNAMED;
}

void weir_stream_remember(const struct weir_stream *s, uint32_t handle)
{
	weir_stream_forget(s);
	for (uint32_t i = 0; i < PROBES; i++) {
		uint32_t at = unnamed_place(s, i);
		uintptr_t none = 0;

		if (!atomic_compare_exchange_strong(&unnamed[at].stream, &none,
						    (uintptr_t)s))
			continue;
		atomic_store(&unnamed[at].handle, handle);
		return;
	}
}

static int find_unnamed(const struct weir_stream *s)
{
	for (uint32_t i = 0; i < PROBES; i++) {
		uint32_t at = unnamed_place(s, i);

		if (atomic_load(&unnamed[at].stream) == (uintptr_t)s)
			return (int)at;
	}
	return -1;
}

uint32_t weir_stream_recall(const struct weir_stream *s)
{
	int at = find_unnamed(s);

	return at < 0 ? 0 : atomic_load(&unnamed[at].handle);
}

void weir_stream_forget(const struct weir_stream *s)
{
	int at = find_unnamed(s);

	if (at < 0)
		return;
	atomic_store(&unnamed[at].handle, 0);
	atomic_store(&unnamed[at].stream, 0);
}
