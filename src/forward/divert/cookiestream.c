/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes streams of libc whose reads and writes come back to us. */
#include "forward/divert/cookiestream.h"

#include "forward/deferred/release.h"
#include "gate/fdtable.h"
#include "spec/real.h"

#include <stdio.h>

#define COOKIES 4096
#define PROBES	32

/* What an ordinary stream knows of how it was opened. */
#define WAYS                                                                   \
	(WEIR_STREAM_NO_READS | WEIR_STREAM_NO_WRITES | WEIR_STREAM_APPENDS)

static struct weir_cookiestream cookies[COOKIES];
static _Atomic bool is_any; /* there was one */

/* --- which streams they are ---------------------------------------------- */

static struct weir_cookiestream *cookie_at(uintptr_t key, uint32_t probe)
{
	return &cookies[(key / 16 % 4093 + probe) % COOKIES];
}

static struct weir_cookiestream *claim_cookie(uintptr_t key)
{
	for (uint32_t i = 0; i < PROBES; i++) {
		struct weir_cookiestream *cookie = cookie_at(key, i);
		uintptr_t none = 0;

		if (atomic_compare_exchange_strong(&cookie->key, &none, key))
			return cookie;
	}
	return NULL;
}

struct weir_cookiestream *weir_cookiestream_of(const struct weir_stream *stream)
{
	uintptr_t key = stream ? (uintptr_t)stream->wide_data : 0;

	for (uint32_t i = 0; key && i < PROBES; i++) {
		struct weir_cookiestream *cookie = cookie_at(key, i);

		if (atomic_load(&cookie->key) == key)
			return atomic_load(&cookie->stream) == stream ? cookie
								      : NULL;
	}
	return NULL;
}

struct weir_cookiestream *
weir_cookiestream_fast_of(const struct weir_stream *stream)
{
	struct weir_cookiestream *cookie = weir_cookiestream_of(stream);

	return cookie && !atomic_load(&cookie->is_loose) ? cookie : NULL;
}

/* --- ordinary ones ------------------------------------------------------- */

_Atomic bool weir_cookiestream_is_below;

void weir_cookiestream_note_plain(int fd, bool is)
{
	if (weir_fdtable_holds(fd))
		atomic_store_explicit(&weir_fdtable[fd].is_plain, is,
				      memory_order_relaxed);
}

static bool is_standard_on(const FILE *standard, int fd)
{
	const struct weir_stream *s = (const void *)standard;

	return s && s->fd == fd && !weir_cookiestream_fast_of(s);
}

static bool has_plain_stream(int fd)
{
	return is_standard_on(stdin, fd) || is_standard_on(stdout, fd) ||
	       is_standard_on(stderr, fd) ||
	       (weir_fdtable_holds(fd) &&
		atomic_load_explicit(&weir_fdtable[fd].is_plain,
				     memory_order_relaxed));
}

void weir_cookiestream_put_below(int fd)
{
	if (is_standard_on(stderr, fd))
		weir_release_fd(fd);
	else if (has_plain_stream(fd))
		atomic_store(&weir_cookiestream_is_below, true);
}

static void release_plain_all(void)
{
	int fd = -1;

	while ((fd = weir_fdtable_next((unsigned)fd + 1, UINT32_MAX)) >= 0)
		if (has_plain_stream(fd))
			weir_release_fd(fd);
}

void weir_cookiestream_meet(void *stream)
{
	const struct weir_stream *s = stream;
	int err = weir_gate_errno();

	if (!s)
		release_plain_all();
	else if (weir_fdtable_peek(s->fd) >= 0 && !weir_cookiestream_fast_of(s))
		weir_release_fd(s->fd);
	weir_gate_set_errno(err);
}

/* --- their lives -------------------------------------------------------- */

/* As large as libc would make it, which of our kind it would not know. */
static void move_buffer(struct weir_stream *to, struct weir_stream *donor)
{
	if (weir_real.setvbuf(donor, NULL, _IOFBF, 0))
		return;
	to->buf_base = donor->buf_base;
	to->buf_end = donor->buf_end;
	donor->buf_base = donor->buf_end = NULL;
}

struct weir_stream *weir_cookiestream_make(struct weir_stream *donor,
					   const weirgatecookie *functions)
{
	struct weir_cookiestream *cookie =
		claim_cookie((uintptr_t)donor->wide_data);
	struct weir_stream *stream;

	if (!cookie)
		return NULL;
	stream = weir_real.fopencookie(cookie, "r+", *functions);
	if (!stream) {
		atomic_store(&cookie->key, 0);
		return NULL;
	}
	cookie->donor = donor;
	atomic_store(&cookie->is_loose, false);
	atomic_store(&cookie->stream, stream);
	atomic_store(&is_any, true);
	move_buffer(stream, donor);
	stream->flags = (stream->flags & ~WAYS) | (donor->flags & WAYS);
	stream->wide_data = donor->wide_data;
	stream->mode = 0;
	stream->fd = donor->fd;
	donor->fd = -1;
	return stream;
}

/* Without a descriptor the donor has nothing to do but to be freed. */
void weir_cookiestream_end(struct weir_cookiestream *cookie)
{
	struct weir_stream *donor = cookie->donor;
	int err = weir_gate_errno();

	atomic_store(&cookie->stream, NULL);
	atomic_store(&cookie->key, 0);
	weir_real.fclose(donor);
	weir_gate_set_errno(err);
}

/*
 * Of a stream that another thread is using, the kernel must have the file:
 * libc will not wait for that thread either.
 */
static void flush_stream(struct weir_stream *stream)
{
	if (weir_fdtable_peek(stream->fd) < 0)
		return;
	if (ftrylockfile((FILE *)stream)) {
		weir_release_fd(stream->fd);
		return;
	}
	weir_real.fflush_unlocked(stream);
	funlockfile((FILE *)stream);
}

void weir_cookiestream_flush_all(void)
{
	for (uint32_t i = 0; i < COOKIES && atomic_load(&is_any); i++) {
		struct weir_stream *stream = atomic_load(&cookies[i].stream);

		if (stream && !atomic_load(&cookies[i].is_loose))
			flush_stream(stream);
	}
}
