/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles of calls on streams: what their buffers did, and the rarer ones. */
#include "capture/role_stream.h"

#include "capture/birth.h"
#include "spec/calls.h"

#include <fcntl.h>
#include <string.h>

#define MOST_BYTES (UINT64_C(1) << 46) /* more is no amount but a mistake */

static bool may_edit(const struct weir_pass *pass)
{
	return !pass->thread->vforks;
}

uint64_t weir_role_meet(struct weir_pass *pass, struct weir_args *args)
{
	const struct weir_stream *s = args->stream;
	uint64_t entry = 0;

	pass->handle = 0;
	if (!s)
		return 0;
	if (s->fd < 0) {
		pass->handle = weir_stream_recall(s);
		if (!pass->handle)
			pass->handle = weir_role_bare(-1);
		return 0;
	}
	if (may_edit(pass))
		entry = weir_note_identify(pass->thread, s->fd);
	pass->handle = entry ? weir_fdmap_handle(entry) : weir_role_bare(s->fd);
	return entry;
}

/* --- what the buffer did ---------------------------------------------- */

/* A record of bytes between buffer and kernel; position NULL: not known. */
static void derive(const struct weir_pass *pass, uint16_t call, uint64_t bytes,
		   const uint64_t *position)
{
	struct weir_pass child = weir_observe_child(pass, pass->handle);
	struct weir_args args = {
		.call = call,
		.size = bytes,
		.ret = (int64_t)bytes,
		.has_off = position,
		.off = position ? (int64_t)*position : 0,
	};

	if (!bytes)
		return;
	child.flags |= WEIR_EVENT_RETSIZE;
	weir_observe_derive(&child, &args);
}

static void keep_book(struct weir_stream_book *book,
		      const struct weir_stream *s)
{
	atomic_store(&book->owner, (uintptr_t)s);
	atomic_store(&book->pending, weir_stream_pending(s));
	atomic_store(&book->ahead, weir_stream_ahead(s));
	atomic_store(&book->put, 0);
	atomic_store(&book->got, 0);
	atomic_store(&book->blind, false);
	atomic_store(&book->crowded, false);
}

static void join_crowd(struct weir_stream_book *book,
		       const struct weir_role_flow *flow)
{
	if (!flow->known)
		atomic_store(&book->blind, true);
	atomic_fetch_add(&book->put, flow->put);
	atomic_fetch_add(&book->got, flow->got);
	atomic_store(&book->crowded, true);
}

/*
 * This call had the stream for itself, those before it had not: what they all
 * did together shows now. It is told as done by this one.
 */
static void take_crowd(const struct weir_stream_book *book,
		       struct weir_role_flow *flow,
		       const struct weir_stream *s)
{
	uint64_t put = atomic_load(&book->put) + flow->put;
	uint64_t got = atomic_load(&book->got) + flow->got;

	flow->known = flow->known && !atomic_load(&book->blind);
	flow->out = atomic_load(&book->pending) + put - weir_stream_pending(s);
	flow->in = got + weir_stream_ahead(s) - atomic_load(&book->ahead);
}

static void read_book(const struct weir_stream_book *book,
		      const struct weir_pass *pass,
		      struct weir_role_flow *flow, const struct weir_stream *s)
{
	uint64_t pending = atomic_load(&book->pending);

	if (atomic_load(&book->owner) != (uintptr_t)s)
		return;
	if (atomic_load(&book->crowded))
		take_crowd(book, flow, s);
	else if (pending > pass->pending)
		flow->before = pending - pass->pending;
}

/*
 * Where the kernel's position is now: libc knows it once it has asked, and
 * follows it from then on; else it moved by what went through the buffer.
 */
static struct weir_ofd_move move_of(const struct weir_pass *pass,
				    const struct weir_role_flow *flow,
				    const struct weir_stream *s,
				    uint32_t traits)
{
	bool turned = flow->put && pass->ahead; /* libc goes back first */
	bool appends = traits & WEIR_OFD_APPEND && flow->out | flow->before;

	if (s->offset >= 0 && !(traits & WEIR_OFD_APPEND))
		return (struct weir_ofd_move){
			.absolute = true, .certain = true, .by = s->offset };
	return (struct weir_ofd_move){
		.certain = flow->known && !turned && !appends,
		.by = (int64_t)(flow->before + flow->out + flow->in),
	};
}

static bool is_known(const struct weir_pass *pass, const struct weir_args *args,
		     const struct weir_role_flow *flow)
{
	return !args->failed && args->moved != WEIR_MOVES_BLIND &&
	       pass->ahead != WEIR_ROLE_NOT_PLAIN &&
	       weir_stream_is_plain(args->stream) && flow->known;
}

static void derive_flow(const struct weir_pass *pass,
			const struct weir_role_flow *flow, bool has_position)
{
	uint64_t position = pass->entered & WEIR_OFD_POSITION;
	const uint64_t *at = has_position ? &position : NULL;

	derive(pass, WEIR_CALL_STREAM_FLUSH, flow->before, at);
	position += flow->before;
	if (!flow->known)
		return;
	derive(pass, WEIR_CALL_STREAM_FLUSH, flow->out, at);
	derive(pass, WEIR_CALL_STREAM_FILL, flow->in, at);
}

void weir_role_settle(struct weir_pass *pass, struct weir_args *args,
		      struct weir_role_flow flow)
{
	uint32_t ofd = weir_fdmap_ofd(pass->entry);
	struct weir_stream_book *book = &weir_stream_books[ofd];
	struct weir_ofd *o = &weir_ofd_table[ofd];
	bool known = true;

	if (atomic_load(&o->traits) & WEIR_OFD_UNSEEN) {
		weir_role_look(args->stream->fd, o);
		pass->entered |= atomic_load(&o->word) & WEIR_OFD_UNKNOWN;
	}
	flow.known = true;
	flow.known = is_known(pass, args, &flow);
	read_book(book, pass, &flow, args->stream);
	if (flow.out >= MOST_BYTES || flow.in >= MOST_BYTES)
		flow.known = false;
	known = !(pass->entered & WEIR_OFD_UNKNOWN);
	if (weir_ofd_leave_alone(ofd, pass->entered,
				 move_of(pass, &flow, args->stream,
					 atomic_load(&o->traits)))) {
		derive_flow(pass, &flow, known);
		keep_book(book, args->stream);
	} else {
		join_crowd(book, &flow);
		weir_ofd_leave_crowd(ofd);
		known = false;
	}
	args->has_off = known && pass->ahead != WEIR_ROLE_NOT_PLAIN;
	args->off = (int64_t)((pass->entered & WEIR_OFD_POSITION) +
			      flow.before + pass->pending - pass->ahead);
	weir_observe_record(pass, args);
}

/* --- calls that only move the buffer ----------------------------------- */

void weir_role_buffer_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_enter_stream(pass, args);
}

void weir_role_buffer_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_leave_stream(pass, args, 0, 0);
}

void weir_role_scan_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_enter_stream(pass, args);
}

void weir_role_scan_after(struct weir_pass *pass, struct weir_args *args)
{
	args->moved = WEIR_MOVES_BLIND;
	weir_role_leave_stream(pass, args, 0, 0);
}

void weir_role_fseek_before(struct weir_pass *pass, struct weir_args *args)
{
	args->has_off = false; /* the offset asked for is in the detail */
	weir_role_enter_stream(pass, args);
}

/*
 * libc writes what is pending, and reads the block of the new place unless
 * that is in the buffer already: then the position did not change.
 */
void weir_role_fseek_after(struct weir_pass *pass, struct weir_args *args)
{
	const struct weir_stream *s = args->stream;
	struct weir_role_flow flow = { 0 };
	uint64_t position = pass->entered & WEIR_OFD_POSITION;

	if (!pass->uses_position) {
		weir_observe_record(pass, args);
		return;
	}
	flow.out = pass->pending - weir_stream_pending(s);
	if (!(pass->entered & WEIR_OFD_UNKNOWN) &&
	    s->offset != (int64_t)(position + flow.out))
		flow.in = (uint64_t)(s->read_end - s->buf_base);
	weir_role_settle(pass, args, flow);
}

/* --- all streams ------------------------------------------------------- */

/* libc's list of open streams, and the lock that it takes to walk it. */
extern struct weir_stream *_IO_list_all;
extern void _IO_list_lock(void);
extern void _IO_list_unlock(void);

typedef void visit(struct weir_pass *pass, const struct weir_stream *s,
		   struct weir_stream_book *book);

static void visit_streams(struct weir_pass *pass, visit *do_visit)
{
	_IO_list_lock();
	for (const struct weir_stream *s = _IO_list_all; s; s = s->chain) {
		uint64_t entry = s->fd < 0 ? 0 : weir_fdmap_get(s->fd);
		uint32_t ofd = weir_fdmap_ofd(entry);

		pass->handle = entry ? weir_fdmap_handle(entry)
				     : weir_role_bare(s->fd);
		if (s->fd >= 0 && !weir_fdmap_why(entry) &&
		    weir_stream_is_plain(s))
			do_visit(pass, s, ofd ? &weir_stream_books[ofd] : NULL);
	}
	_IO_list_unlock();
	pass->handle = 0;
}

static void visit_before_flush(struct weir_pass *pass,
			       const struct weir_stream *s,
			       struct weir_stream_book *book)
{
	if (book && weir_stream_pending(s) > 0)
		keep_book(book, s);
}

static void visit_after_flush(struct weir_pass *pass,
			      const struct weir_stream *s,
			      struct weir_stream_book *book)
{
	uint64_t pending = weir_stream_pending(s), was;

	if (!book || atomic_load(&book->owner) != (uintptr_t)s)
		return;
	was = atomic_load(&book->pending);
	if (was <= pending || atomic_load(&book->crowded))
		return;
	derive(pass, WEIR_CALL_STREAM_FLUSH, was - pending, NULL);
	atomic_fetch_or(&weir_ofd_table[book - weir_stream_books].word,
			WEIR_OFD_UNKNOWN);
	keep_book(book, s);
}

void weir_role_fflush_before(struct weir_pass *pass, struct weir_args *args)
{
	if (args->stream) {
		weir_role_enter_stream(pass, args);
		return;
	}
	pass->handle = 0;
	if (may_edit(pass))
		visit_streams(pass, visit_before_flush);
	weir_observe_start(pass, args);
}

void weir_role_fflush_after(struct weir_pass *pass, struct weir_args *args)
{
	if (args->stream) {
		weir_role_leave_stream(pass, args, 0, 0);
		return;
	}
	if (may_edit(pass))
		visit_streams(pass, visit_after_flush);
	weir_observe_record(pass, args);
}

static void visit_at_end(struct weir_pass *pass, const struct weir_stream *s,
			 struct weir_stream_book *book)
{
	derive(pass, WEIR_CALL_STREAM_FLUSH, weir_stream_pending(s), NULL);
}

void weir_role_end_streams(void)
{
	struct weir_pass pass;

	if (weir_birth_has_failed() || !weir_observe_enter(&pass) ||
	    !may_edit(&pass))
		return;
	pass.thread->state = WEIR_THREAD_BUSY;
	pass.start = pass.end = weir_clock_tick(weir_observe_counter);
	pass.depth = weir_thread_depth(pass.thread) - 1;
	visit_streams(&pass, visit_at_end);
	weir_observe_done(pass.thread);
}
