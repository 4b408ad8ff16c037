/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Does for our streams what libc does well with ordinary ones only: much is
 * read past the buffer, and nothing where the buffer has the place that is
 * sought. With those that call us it would read block by block, and again after
 * each seek.
 */
#include "forward/divert/cookiestream.h"
#include "forward/divert/divert.h"
#include "spec/real.h"

#include <stdio.h>
#include <string.h>

static uint64_t room_of(const struct weir_stream *s)
{
	return (uint64_t)(s->buf_end - s->buf_base);
}

/* It reads, if it does anything, and from its own buffer. */
static bool is_reading(const struct weir_stream *s)
{
	return s->buf_base && s->mode <= 0 &&
	       !(s->flags & (WEIR_STREAM_NO_READS | WEIR_STREAM_PUTTING |
			     WEIR_STREAM_BACKUP));
}

/* Both ways: nothing in it is to be written. */
static void point_at(struct weir_stream *s, char *ptr, char *end)
{
	s->read_base = s->buf_base;
	s->read_ptr = ptr;
	s->read_end = end;
	s->write_base = s->write_ptr = s->write_end = s->buf_base;
}

/* --- fread ------------------------------------------------------------- */

static unsigned long take_buffered(struct weir_stream *s, char *to,
				   unsigned long want)
{
	unsigned long have = (unsigned long)(s->read_end - s->read_ptr);

	if (have > want)
		have = want;
	if (have)
		memcpy(to, s->read_ptr, have);
	s->read_ptr += have;
	return have;
}

/* Whole buffers, so that later reads begin where blocks do. */
static bool read_past(struct weir_stream *s, char *to, unsigned long want,
		      unsigned long *done)
{
	long got;

	point_at(s, s->buf_base, s->buf_base);
	got = weir_divert_read(s->fd, to, want - want % room_of(s));
	if (got <= 0) {
		s->flags |= got ? WEIR_STREAM_ERROR : WEIR_STREAM_EOF;
		return false;
	}
	*done += (unsigned long)got;
	if (s->offset >= 0)
		s->offset += got;
	return true;
}

static unsigned long read_much(struct weir_stream *s, char *to,
			       unsigned long want)
{
	unsigned long done = take_buffered(s, to, want);

	while (want - done >= room_of(s))
		if (!read_past(s, to + done, want - done, &done))
			return done;
	if (done < want)
		done += weir_real.fread(to + done, 1, want - done, s);
	return done;
}

unsigned long weir_divert_fread(void *buf, unsigned long size, unsigned long n,
				void *stream)
{
	struct weir_stream *s = stream;
	unsigned long want, done;

	if (__builtin_mul_overflow(size, n, &want) || want < room_of(s) ||
	    !want || !weir_cookiestream_fast_of(s))
		return weir_real.fread(buf, size, n, s);
	flockfile((FILE *)s);
	if (is_reading(s))
		done = read_much(s, buf, want);
	else
		done = weir_real.fread(buf, 1, want, s);
	funlockfile((FILE *)s);
	return done == want ? n : done / size;
}

/* --- fseek ------------------------------------------------------------- */

static bool is_buffered(const struct weir_stream *s, long off, int whence,
			long *ret_place)
{
	if (s->offset < 0 || !is_reading(s) ||
	    (whence != SEEK_SET && whence != SEEK_CUR))
		return false;
	if (whence == SEEK_CUR &&
	    __builtin_add_overflow(off, s->offset - (s->read_end - s->read_ptr),
				   &off))
		return false;
	*ret_place = off - (s->offset - (s->read_end - s->buf_base));
	return *ret_place >= 0 && off < s->offset;
}

int weir_divert_fseek(void *stream, long off, int whence)
{
	struct weir_stream *s = stream;
	bool found;
	long place;

	if (!weir_cookiestream_fast_of(s))
		return weir_real.fseeko64(s, off, whence);
	flockfile((FILE *)s);
	found = is_buffered(s, off, whence, &place);
	if (found) {
		point_at(s, s->buf_base + place, s->read_end);
		s->flags &= ~WEIR_STREAM_EOF;
	}
	funlockfile((FILE *)s);
	return found ? 0 : weir_real.fseeko64(s, off, whence);
}

/*
 * To tell where it is, libc forgets what it knew: but that is true still, if
 * no other thread comes between.
 */
int weir_divert_ftell_before(struct weir_divert *hold, void *stream)
{
	struct weir_stream *s = stream;

	hold->room = weir_cookiestream_fast_of(s) ? s : NULL;
	if (!hold->room)
		return 0;
	flockfile((FILE *)s);
	hold->word = s->offset;
	return 0;
}

long weir_divert_ftell_after(struct weir_divert *hold, long ret)
{
	struct weir_stream *s = hold->room;

	if (!s)
		return ret;
	if (hold->word >= 0 && s->offset < 0 && !weir_stream_pending(s))
		s->offset = hold->word;
	funlockfile((FILE *)s);
	return ret;
}
