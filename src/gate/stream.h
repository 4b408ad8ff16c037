/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a stream of the C library shows of its buffer. */
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

#define WEIR_STREAM_UNBUFFERED 0x0002
#define WEIR_STREAM_NO_READS   0x0004
#define WEIR_STREAM_NO_WRITES  0x0008
#define WEIR_STREAM_EOF        0x0010
#define WEIR_STREAM_ERROR      0x0020
#define WEIR_STREAM_BACKUP     0x0100 /* reads what ungetc put back */
#define WEIR_STREAM_LINES      0x0200 /* is flushed line by line */
#define WEIR_STREAM_PUTTING    0x0800 /* the buffer is for writing */
#define WEIR_STREAM_APPENDS    0x1000
#define WEIR_STREAM_OF_FILE    0x2000

/* Its descriptor; of a stream in memory libc does not fill the member in. */
WEIR_GATE_HOT int weir_stream_fd(const struct weir_stream *s)
{
	return s->flags & WEIR_STREAM_OF_FILE ? s->fd : -1;
}

/* Bytes that were written and wait in the buffer. */
WEIR_GATE_HOT uint64_t weir_stream_pending(const struct weir_stream *s)
{
	return (uint64_t)(s->write_ptr - s->write_base);
}

/* Beside an amount: libc reads what was put back; or is confused by that. */
#define WEIR_STREAM_TURNED (UINT64_C(1) << 61)
#define WEIR_STREAM_LOST   (UINT64_C(1) << 62)

uint64_t weir_stream_ahead_of_backup(const struct weir_stream *s);

/*
 * How far the kernel is beyond the place in the buffer that is read next, or
 * where the bytes pending begin: libc goes back only when it writes them. The
 * stream is where the kernel is, less this, plus what is pending.
 */
WEIR_GATE_HOT uint64_t weir_stream_ahead(const struct weir_stream *s)
{
	const char *here = s->flags & WEIR_STREAM_PUTTING ? s->write_base
							  : s->read_ptr;
	uint64_t ahead = (uint64_t)(s->read_end - here);

	if (weir_gate_unlikely(s->flags & WEIR_STREAM_BACKUP))
		return weir_stream_ahead_of_backup(s);
	return ahead;
}

/* Its buffer shows what the kernel was given and gave. */
WEIR_GATE_HOT bool weir_stream_is_plain(const struct weir_stream *s)
{
	return s->mode <= 0;
}

WEIR_GATE_HOT bool weir_stream_erred(const struct weir_stream *s)
{
	return s && s->flags & WEIR_STREAM_ERROR;
}

/* Nothing more can be read, and not because it is at an end. */
WEIR_GATE_HOT bool weir_stream_broke(const struct weir_stream *s)
{
	return s && (s->flags & (WEIR_STREAM_ERROR | WEIR_STREAM_EOF)) ==
			    WEIR_STREAM_ERROR;
}

/*
 * What is known of a stream's buffer since the last call that had the stream
 * for itself, and what calls that overlapped have moved since. Kept beside
 * the description that the stream's descriptor stands for, which may have
 * several streams: then it is the last one's. It is written by calls that are
 * inside the description (gate/ofd.h), and the sums only added to.
 */
struct weir_stream_book {
	/* The stream, its address only compared; bit 0: there is a crowd. */
	_Alignas(64) _Atomic uintptr_t owner;
	_Atomic uint64_t pending;
	_Atomic uint64_t ahead;
	_Atomic int64_t offset; /* where libc believed the kernel to be */
	_Atomic uint64_t put;   /* by calls that overlapped */
	_Atomic uint64_t got;
	_Atomic uint32_t crowd; /* such calls */
	_Atomic uint32_t blind; /* those that moved nobody knows how much */
};

#define WEIR_STREAM_CROWDED 1u /* of owner */

extern struct weir_stream_book weir_stream_books[WEIR_OFD_COUNT];

/* The book is this stream's, and nothing happened unseen. */
WEIR_GATE_HOT bool weir_stream_fits(const struct weir_stream_book *book,
				    const struct weir_stream *s,
				    uint64_t pending)
{
	return atomic_load_explicit(&book->owner, memory_order_relaxed) ==
		       (uintptr_t)s &&
	       atomic_load_explicit(&book->pending, memory_order_relaxed) <=
		       pending;
}

/* A stream is new on this description; or known from now on. */
void weir_stream_open_book(uint32_t ofd, const struct weir_stream *s);
void weir_stream_meet_book(uint32_t ofd, const struct weir_stream *s);
void weir_stream_close_book(uint32_t ofd);

/*
 * Streams without a descriptor: in memory, or on the program's own functions.
 * The handle of one; 0: not known.
 */
void weir_stream_remember(const struct weir_stream *s, uint32_t handle);
uint32_t weir_stream_recall(const struct weir_stream *s);
void weir_stream_forget(const struct weir_stream *s);

#endif
