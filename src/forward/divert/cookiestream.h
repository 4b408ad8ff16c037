/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes streams of libc whose reads and writes come back to us. Such a stream
 * is one by fopencookie() that looks like an ordinary one: its descriptor, its
 * buffer and its memory for wide characters are those of an ordinary stream of
 * the same file, the donor, which is kept as long as the stream.
 *
 * libc may take a stream back: as soon as it is one of wide characters, or is
 * opened anew (freopen), it reads and writes the descriptor itself. The file
 * must be the kernel's before that. The stream is loose then.
 */
#ifndef WEIR_DIVERT_COOKIESTREAM_H
#define WEIR_DIVERT_COOKIESTREAM_H

#include "gate/stream.h"

#include <stdatomic.h>
#include <stdbool.h>

struct weir_cookiestream {
	/* Of the donor, its memory for wide characters; 0: free. */
	_Atomic uintptr_t key;
	struct weir_stream *_Atomic stream;
	struct weir_stream *donor;
	_Atomic bool is_loose;
};

/*
 * A stream in the place of `donor`, which libc has just opened; it has the
 * descriptor then, and calls these functions with its own struct. NULL: there
 * cannot be one, and the donor is as it was.
 */
struct weir_stream *weir_cookiestream_make(struct weir_stream *donor,
					   const weirgatecookie *functions);

/* That of a stream, loose or not; NULL: it is an ordinary one. */
struct weir_cookiestream *
weir_cookiestream_of(const struct weir_stream *stream);

/* NULL also if it is loose. */
struct weir_cookiestream *
weir_cookiestream_fast_of(const struct weir_stream *stream);

/* When libc has closed the stream. */
void weir_cookiestream_end(struct weir_cookiestream *cookie);

/*
 * A number stands for a forwarded file from now on (dup2, or the lowest one
 * that was free), but libc may have an ordinary stream on it, which it reads
 * and writes itself: stdin, stdout, stderr, or one that was noted. The file
 * becomes the kernel's before that stream is used (weir_cookiestream_meet); of
 * stderr, which libc itself writes to without a call that we see, at once.
 */
void weir_cookiestream_put_below(int fd);
void weir_cookiestream_note_plain(int fd, bool is);

/* There are such numbers: before a call on a stream (NULL: on all). */
extern _Atomic bool weir_cookiestream_is_below;
void weir_cookiestream_meet(void *stream);

/* exit(): what is in their buffers is written, which libc would do later. */
void weir_cookiestream_flush_all(void);

#endif
