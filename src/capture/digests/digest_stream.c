/* SPDX-License-Identifier: BSD-3-Clause */
/* Digests what calls on streams write. */
#include "base/sys.h"
#include "capture/digests/digesting.h"
#include "capture/digests/digests.h"
#include "gate/confined.h"
#include "gate/next.h"
#include "spec/calls.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define NOWHERE UINT64_MAX

/* --- where -------------------------------------------------------------- */

static bool appends(const struct weir_digesting_call *call)
{
	uint32_t ofd = weir_fdmap_ofd(call->entry);

	return call->stream->flags & WEIR_STREAM_APPENDS ||
	       atomic_load(&weir_ofd_table[ofd].traits) & WEIR_OFD_APPEND;
}

/* The end of the file is where it will be flushed to, if nobody else comes. */
static uint64_t end_of_file(const struct weir_digesting_call *call)
{
	struct stat st;

	weir_digests_doubt(call->handle, WEIR_DIGEST_SHARED);
	if (weir_confined || weir_sys2(SYS_fstat, call->stream->fd, &st))
		return NOWHERE;
	return (uint64_t)st.st_size;
}

static uint64_t kernel_position(const struct weir_digesting_call *call)
{
	uint32_t ofd = weir_fdmap_ofd(call->entry);
	long at;

	if (call->entered & WEIR_OFD_INSIDES)
		weir_digests_doubt(call->handle, WEIR_DIGEST_SHARED);
	if (!(call->entered & WEIR_OFD_UNKNOWN))
		return call->entered & WEIR_OFD_POSITION;
	if (atomic_load(&weir_ofd_table[ofd].traits) & WEIR_OFD_SHARED)
		weir_digests_doubt(call->handle, WEIR_DIGEST_SHARED);
	at = weir_confined
		     ? -1
		     : weir_sys3(SYS_lseek, call->stream->fd, 0, SEEK_CUR);
	return weir_sys_failed(at) ? NOWHERE : (uint64_t)at;
}

/* Of the byte that is put next. */
static uint64_t next_byte(const struct weir_digesting_call *call)
{
	uint64_t place;

	if (appends(call)) {
		place = end_of_file(call);
		return place == NOWHERE ? place : place + call->pending;
	}
	place = kernel_position(call);
	if (place == NOWHERE || call->ahead >= WEIR_STREAM_TURNED)
		return NOWHERE;
	return place + call->pending - call->ahead;
}

/* --- what --------------------------------------------------------------- */

struct given {
	const void *bytes;
	uint64_t size;
	char room[sizeof(int)];
};

static bool is_wide(const struct weir_digesting_call *call)
{
	return !weir_stream_is_plain(call->stream) ||
	       (call->call >= WEIR_CALL_FGETWC &&
		call->call <= WEIR_CALL_VWSCANF);
}

/* What the call puts; nothing: it is not there to put, or nobody knows. */
static void find_given(const struct weir_digesting_call *call,
		       struct given *ret)
{
	*ret = (struct given){ .bytes = call->data, .size = call->size };
	switch (call->call) {
	case WEIR_CALL___OVERFLOW:
		if (call->letter == EOF) {
			ret->size = 0;
			return;
		}
		/* fall through */
	case WEIR_CALL_FPUTC:
	case WEIR_CALL_PUTCHAR:
		ret->room[0] = (char)call->letter;
		ret->size = 1;
		ret->bytes = ret->room;
		return;
	case WEIR_CALL_PUTW:
		memcpy(ret->room, &call->letter, sizeof(int));
		ret->size = sizeof(int);
		ret->bytes = ret->room;
		return;
	case WEIR_CALL_FPUTS:
	case WEIR_CALL_PUTS:
		ret->size = call->data ? strlen(call->data) : 0;
		return;
	}
	if (!call->data)
		ret->size = 0;
}

static void put_stretch(const struct weir_digesting_call *call, uint64_t place,
			const void *bytes, uint64_t size)
{
	struct weir_digests_piece piece = { .position = place,
					    .how = WEIR_DIGESTS_JOINS |
						   WEIR_DIGESTS_LATER };

	if (!size)
		return;
	if (place == NOWHERE) {
		weir_digests_doubt(call->handle, WEIR_DIGEST_POSITION);
		return;
	}
	weir_digests_extend(&piece, bytes, size);
	if (appends(call))
		piece.how |= WEIR_DIGESTS_STAYS;
	else
		weir_digesting_old(call->handle, call->stream->fd, place,
				   place + size);
	weir_digests_put(call->handle, &piece, 1);
}

/* --- the buffer --------------------------------------------------------- */

/* Bytes that nobody was told of; they are the last in the buffer. */
static uint64_t unseen(const struct weir_digesting_call *call)
{
	const struct weir_stream_book *book =
		&weir_stream_books[weir_fdmap_ofd(call->entry)];
	uint64_t booked = atomic_load(&book->pending);

	if (!call->pending)
		return 0;
	if (atomic_load(&book->owner) != (uintptr_t)call->stream) {
		weir_digests_doubt(call->handle, WEIR_DIGEST_BUFFER);
		return 0;
	}
	return call->pending > booked ? call->pending - booked : 0;
}

static bool puts_something(const struct weir_digesting_call *call,
			   const struct given *given)
{
	return given->size || call->call == WEIR_CALL_PUTPWENT ||
	       call->call == WEIR_CALL_PUTGRENT ||
	       call->call == WEIR_CALL_PUTSPENT ||
	       call->call == WEIR_CALL_ADDMNTENT;
}

static void put_all(const struct weir_digesting_call *call,
		    const struct given *given, uint64_t before)
{
	uint64_t place = next_byte(call);

	if (before && place != NOWHERE)
		put_stretch(call, place - before,
			    call->stream->write_ptr - before, before);
	if (given->bytes)
		put_stretch(call, place, given->bytes, given->size);
	else if (puts_something(call, given))
		weir_digests_doubt(call->handle, WEIR_DIGEST_BUFFER);
	if (call->call == WEIR_CALL_PUTS)
		put_stretch(call, place + given->size, "\n", 1);
}

void weir_digest_stream(const struct weir_digesting_call *call)
{
	struct weir_digesting_call on = *call;
	struct given given;
	uint64_t before;

	if (!call->stream || !weir_fdmap_ofd(call->entry))
		return;
	on.fd = call->stream->fd;
	find_given(call, &given);
	before = weir_stream_is_plain(call->stream) ? unseen(call) : 0;
	if (!before && !puts_something(call, &given) &&
	    call->call != WEIR_CALL_PUTS && call->call != WEIR_CALL___FPURGE &&
	    !is_wide(call))
		return;
	if (call->stream->flags & WEIR_STREAM_NO_WRITES ||
	    !weir_digesting_is_taken(&on))
		return;
	if (is_wide(call))
		weir_digests_doubt(call->handle, WEIR_DIGEST_WIDE);
	else
		put_all(call, &given, before);
	if (call->call == WEIR_CALL___FPURGE && call->pending)
		weir_digests_doubt(call->handle, WEIR_DIGEST_SHORT);
}

void weir_digest_stream_short(uint32_t handle)
{
	if (weir_digests_knows(handle))
		weir_digests_doubt(handle, WEIR_DIGEST_SHORT);
}

/* --- text made once more ------------------------------------------------ */

struct page {
	char *text;
	size_t room;
};

static __thread struct page page __attribute__((tls_model("initial-exec")));

static bool have_room(size_t wanted)
{
	size_t room = page.room ? page.room : 16384;
	long at;

	while (room < wanted)
		room *= 2;
	if (room == page.room)
		return true;
	at = weir_confined
		     ? -1
		     : weir_sys6(SYS_mmap, 0, room, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (weir_sys_failed(at))
		return false;
	if (page.room)
		weir_sys2(SYS_munmap, page.text, page.room);
	page = (struct page){ (char *)at, room };
	return true;
}

/*
 * Nothing else inside programs may print; libc's own function is looked for
 * when it is needed.
 */
static int format_into(const char *format, va_list list)
{
	static int (*print)(char *to, size_t room, const char *format,
			    va_list list);
	static const struct weir_next_slot slot = { "vsnprintf", NULL,
						    (void **)&print };
	va_list again;
	int length;

	if (!print)
		weir_next_fill(&slot, 1);
	if (!print)
		return -1;
	va_copy(again, list);
	length = print(page.text, page.room, format, again);
	va_end(again);
	return length;
}

uint64_t weir_digest_stream_format(const void **ret_text, const char *format,
				   va_list list)
{
	int err = weir_gate_errno();
	int length = have_room(1) ? format_into(format, list) : -1;

	if (length >= 0 && (size_t)length >= page.room)
		length = have_room((size_t)length + 1)
				 ? format_into(format, list)
				 : -1;
	weir_gate_set_errno(err);
	*ret_text = length < 0 ? NULL : page.text;
	return length < 0 ? 1 : (uint64_t)length;
}
