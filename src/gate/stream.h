/* SPDX-License-Identifier: BSD-3-Clause */
/* What a stream of the C library shows of its buffer. */
#ifndef WEIR_GATE_STREAM_H
#define WEIR_GATE_STREAM_H

#include "gate/gate.h"
#include "gate/ofd.h"

/*
 * glibc's FILE as programs have it compiled in: getc_unlocked and
 * putc_unlocked are inline functions on these members, so they cannot change.
 * The wrappers include no libc header; stream.c checks each against <stdio.h>.
 */
struct weir_stream {
	int flags;
	char *read_ptr, *read_end, *read_base;
	char *write_base, *write_ptr, *write_end;
	char *buf_base, *buf_end;
	char *save_base, *backup_base, *save_end;
	void *markers;
	struct weir_stream *chain;
	int fd;
	int flags2;
	long old_offset;
	unsigned short column;
	signed char vtable_offset;
	char short_buffer;
	void *lock;
	long offset; /* the kernel's position; -1: libc does not know it */
	void *codecvt, *wide_data, *freeres_list, *freeres_buf;
	unsigned long pad;
	int mode; /* above 0: of wide characters */
};

#define WEIR_STREAM_EOF    0x0010
#define WEIR_STREAM_ERROR  0x0020
#define WEIR_STREAM_BACKUP 0x0100 /* reads what ungetc put back */

/* Bytes that were written and wait in the buffer. */
WEIR_GATE_HOT uint64_t weir_stream_pending(const struct weir_stream *s)
{
	return (uint64_t)(s->write_ptr - s->write_base);
}

/* Bytes that were read ahead. */
WEIR_GATE_HOT uint64_t weir_stream_ahead(const struct weir_stream *s)
{
	return (uint64_t)(s->read_end - s->read_ptr);
}

/* Its buffer shows what the kernel was given and gave. */
WEIR_GATE_HOT bool weir_stream_is_plain(const struct weir_stream *s)
{
	return s->mode <= 0 && !(s->flags & WEIR_STREAM_BACKUP);
}

WEIR_GATE_HOT bool weir_stream_erred(const struct weir_stream *s)
{
	return s && s->flags & WEIR_STREAM_ERROR;
}

/*
 * What is known of a stream's buffer since the last call that had the stream
 * for itself, and what calls that overlapped have moved since. Kept beside
 * the description that the stream's descriptor stands for, which may have
 * several streams: then it is the last one's. A forked child has its parent's
 * books and buffers alike.
 */
struct weir_stream_book {
	_Atomic uintptr_t owner; /* the stream; its address is only compared */
	_Atomic uint64_t pending;
	_Atomic uint64_t ahead;
	_Atomic uint64_t put; /* by calls that overlapped */
	_Atomic uint64_t got;
	_Atomic bool crowded; /* there were such calls */
	_Atomic bool blind;   /* and one of them moved nobody knows how much */
};

extern struct weir_stream_book weir_stream_books[WEIR_OFD_COUNT];

/* The stream is closed. */
WEIR_GATE_HOT void weir_stream_close_book(uint32_t ofd)
{
	atomic_store(&weir_stream_books[ofd].owner, 0);
}

/*
 * Streams without a descriptor: in memory, or on the program's own functions.
 * The handle of one; 0: not known.
 */
void weir_stream_remember(const struct weir_stream *s, uint32_t handle);
uint32_t weir_stream_recall(const struct weir_stream *s);
void weir_stream_forget(const struct weir_stream *s);

#endif
