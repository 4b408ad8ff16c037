/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derives what a call on a stream made its buffer do. The stream's position is
 * the kernel's, less what was read ahead, plus what is pending; a call moves it
 * by what it puts or gets. So how full the buffer was before and is now tells
 * what went to the kernel and came from it. What does not follow from that is
 * asked for where calls are rare, and else not known.
 */
#include "base/sys.h"
#include "capture/record/record.h"
#include "capture/streams/role_stream.h"
#include "gate/asked.h"
#include "gate/confined.h"
#include "spec/calls.h"

#include <errno.h>
#include <stdio.h>

#define MOST_BYTES (UINT64_C(1) << 46) /* more is no amount but a mistake */

struct scene {
	const struct weir_pass *pass;
	const struct weir_stream *s;
	bool gone; /* s is an address only */
	struct weir_stream_book *book;
	uint32_t ofd, traits;
	uint64_t pending, ahead; /* after the call */
	uint64_t position;	 /* the kernel's as the call began */
	bool known;
	bool turned;  /* libc had something put back to read */
	bool trusted; /* libc believed the same */
	/* Of the book, as it was while the call was surely alone. */
	uint64_t put, got;
	uint32_t crowd, blind;
};

/* Bytes between buffer and kernel, and where they went. */
struct outcome {
	uint64_t before_out, before_in; /* unseen, before the call */
	uint64_t out, in;
	uint64_t before_at, out_at, in_at;
	bool nowhere; /* the places are not known */
	bool asked;   /* the kernel said where it is */
	struct weir_ofd_move move;
};

/* A record of bytes between buffer and kernel. */
static void derive(const struct scene *on, uint16_t call, uint64_t bytes,
		   bool has_off, uint64_t off)
{
	struct weir_pass child = weir_record_child(on->pass, on->pass->handle);
	struct weir_args args = {
		.call = call,
		.size = bytes,
		.ret = (int64_t)bytes,
		.has_off = has_off && off < MOST_BYTES,
		.off = (int64_t)off,
	};

	if (!bytes)
		return;
	child.flags |= WEIR_EVENT_RETSIZE;
	weir_record_derive(&child, &args);
}

static void derive_all(const struct scene *on, const struct outcome *o)
{
	bool known = on->known && !o->nowhere;

	derive(on, WEIR_CALL_STREAM_FLUSH, o->before_out, known, o->before_at);
	derive(on, WEIR_CALL_STREAM_FILL, o->before_in, false, 0);
	derive(on, WEIR_CALL_STREAM_FLUSH, o->out, known, o->out_at);
	derive(on, WEIR_CALL_STREAM_FILL, o->in,
	       o->move.certain && o->move.absolute, o->in_at);
}

/* --- the book ----------------------------------------------------------- */

static bool is_mine(const struct scene *on)
{
	return (atomic_load(&on->book->owner) & ~(uintptr_t)1) ==
	       (uintptr_t)on->s;
}

static void join_crowd(const struct scene *on,
		       const struct weir_role_flow *flow)
{
	struct weir_stream_book *book = on->book;

	if (flow->unsure || !is_mine(on))
		atomic_fetch_add(&book->blind, 1);
	atomic_fetch_add(&book->put, flow->put);
	atomic_fetch_add(&book->got, flow->got);
	atomic_fetch_add(&book->crowd, 1);
	atomic_fetch_or(&book->owner, WEIR_STREAM_CROWDED);
}

/*
 * What calls before this one, overlapping, did together shows now; so does
 * what libc itself wrote. It is told as done by this call.
 */
static void take_crowd(struct scene *on, struct outcome *o)
{
	uint64_t pending = atomic_load(&on->book->pending);
	uint64_t ahead = atomic_load(&on->book->ahead);
	uint64_t held = pending ? 0 : ahead;
	uint64_t out = pending + on->put - on->pass->pending;
	uint64_t in = on->got ? on->got + on->pass->ahead - held : 0;

	if (on->blind || (on->put && on->got) || in >= MOST_BYTES ||
	    out >= MOST_BYTES)
		on->known = false;
	else {
		o->before_out = out;
		o->before_in = in;
		o->before_at = on->position - ahead;
		if (out)
			on->position = o->before_at + out + on->pass->ahead;
	}
}

static void keep_book(const struct scene *on)
{
	struct weir_stream_book *book = on->book;

	if (on->gone) {
		weir_stream_close_book(on->ofd);
		return;
	}
	atomic_fetch_sub(&book->put, on->put);
	atomic_fetch_sub(&book->got, on->got);
	atomic_fetch_sub(&book->blind, on->blind);
	atomic_fetch_sub(&book->crowd, on->crowd);
	atomic_store(&book->pending, on->pending);
	atomic_store(&book->ahead, on->ahead);
	atomic_store(&book->offset, on->s->offset);
	atomic_store(&book->owner, (uintptr_t)on->s);
	/* Whoever joined meanwhile has counted first. */
	if (atomic_load(&book->crowd))
		atomic_fetch_or(&book->owner, WEIR_STREAM_CROWDED);
}

/* --- the reckoning ------------------------------------------------------ */

static bool may_ask(const struct scene *on)
{
	return !weir_confined && !on->gone && on->s->fd >= 0 &&
	       !(on->traits & (WEIR_OFD_NOSEEK | WEIR_OFD_SHARED));
}

/* Of a forwarded file it costs nothing. */
static bool ask_service(const struct scene *on, uint64_t *ret_position)
{
	int64_t at = may_ask(on) ? weir_asked_at(on->s->fd) : -1;

	*ret_position = (uint64_t)at;
	return at >= 0;
}

static bool ask_kernel(const struct scene *on, uint64_t *ret_position)
{
	long at;

	if (ask_service(on, ret_position))
		return true;
	if (!may_ask(on))
		return false;
	at = weir_sys3(SYS_lseek, on->s->fd, 0, SEEK_CUR);
	*ret_position = (uint64_t)at;
	return !weir_sys_failed(at);
}

static void go_to(struct outcome *o, uint64_t position)
{
	o->move = (struct weir_ofd_move){ .absolute = true,
					  .certain = true,
					  .by = (int64_t)position };
}

/* How far libc went back when it gave up what was put back it keeps quiet. */
static void reckon_turned(struct scene *on, struct outcome *o)
{
	uint64_t position = on->position;

	if (!on->known || (o->out && !ask_kernel(on, &position))) {
		o->nowhere = true;
		return;
	}
	go_to(o, position);
	o->out_at = position - o->out;
}

/* All is known: logic. */
static bool reckon(struct scene *on, const struct weir_role_flow *flow,
		   struct outcome *o)
{
	const struct weir_pass *p = on->pass;
	uint64_t by = p->pending - p->ahead + flow->put + flow->got -
		      on->pending + on->ahead;
	uint64_t held = p->pending ? 0 : p->ahead;

	if (flow->unsure || p->ahead == WEIR_STREAM_LOST ||
	    on->ahead == WEIR_STREAM_LOST)
		return false;
	o->out = p->pending + flow->put - on->pending;
	o->in = flow->reads ? flow->got + on->ahead - held : 0;
	if (o->out >= MOST_BYTES || o->in >= MOST_BYTES) {
		o->out = o->in = 0;
		return false;
	}
	o->out_at = on->position - p->ahead;
	o->in_at = on->position + by - o->in;
	if (on->turned && flow->puts)
		reckon_turned(on, o);
	else if (on->known)
		go_to(o, on->position + by);
	return true;
}

/* libc has set the position, and everything from there on is new. */
static void reckon_sought(struct scene *on, const struct weir_role_flow *flow,
			  struct outcome *o)
{
	o->out = on->pass->pending - on->pending;
	o->out_at = on->position - on->pass->ahead;
	if (o->out >= MOST_BYTES)
		o->out = 0;
	o->in = flow->filled + flow->missed;
	o->in_at = (uint64_t)on->s->offset - flow->filled;
	if (flow->missed)
		o->in_at = (uint64_t)on->s->offset &
			   ~(uint64_t)(on->s->buf_end - on->s->buf_base - 1);
	go_to(o, (uint64_t)on->s->offset);
}

/* It has written what was pending before it read. */
static void doubt_reading(const struct scene *on, struct outcome *o,
			  uint64_t position)
{
	o->in_at = o->out_at + o->out;
	if (!o->asked || !on->known || position < o->in_at ||
	    (on->traits & WEIR_OFD_APPEND && o->out))
		return;
	o->in = position - o->in_at;
}

static void doubt_writing(const struct scene *on, struct outcome *o,
			  uint64_t position)
{
	bool wrote = on->pass->pending || on->s->flags & WEIR_STREAM_PUTTING;

	if (o->asked && on->known && position > on->position && wrote &&
	    !on->pass->ahead && !(on->traits & WEIR_OFD_APPEND))
		o->out = position - on->position;
}

/* Where the kernel is tells what it got or gave, if nothing else moved it. */
static void doubt(struct scene *on, const struct weir_role_flow *flow,
		  struct outcome *o)
{
	const struct weir_pass *p = on->pass;
	uint64_t position = 0;

	if (on->gone)
		return;
	if (on->trusted && on->s->offset >= 0)
		position = (uint64_t)on->s->offset;
	else if (!ask_service(on, &position) &&
		 (!flow->asks || !ask_kernel(on, &position)))
		position = UINT64_MAX;
	o->asked = position != UINT64_MAX;
	if (o->asked)
		go_to(o, position);
	if (flow->sought || !weir_stream_is_plain(on->s) ||
	    p->ahead == WEIR_STREAM_LOST)
		return;
	o->out_at = on->position - (flow->reads && !p->pending ? 0 : p->ahead);
	if (!flow->puts && !on->pending && !weir_stream_erred(on->s))
		o->out = p->pending;
	if (!flow->reads && !o->out)
		doubt_writing(on, o, position);
	else if (flow->reads && o->out == p->pending)
		doubt_reading(on, o, position);
}

/* Which of an appending write's places is true only the kernel knows. */
static void mind_appends(const struct scene *on, const struct weir_role_flow *f,
			 struct outcome *o)
{
	if (!(on->traits & WEIR_OFD_APPEND))
		return;
	o->nowhere = true;
	if (o->out | o->before_out)
		o->move.certain = f->sought || o->asked;
	/* A stream that does not know it: where it writes is not told. */
	if (!on->gone &&
	    !(on->s->flags & (WEIR_STREAM_APPENDS | WEIR_STREAM_NO_WRITES)))
		o->move.certain = false;
}

/* What libc wrote by itself it may have failed to write. */
static void verify_unseen(struct scene *on, struct outcome *o)
{
	uint64_t now;

	if (!o->before_out || on->gone)
		return;
	if (on->known && o->move.certain && !(on->traits & WEIR_OFD_APPEND) &&
	    ask_kernel(on, &now)) {
		uint64_t wrong = now - (uint64_t)o->move.by;

		o->before_out += wrong;
		on->position += wrong;
		o->out_at += wrong;
		o->in_at += wrong;
		go_to(o, now);
	} else if (weir_stream_erred(on->s)) {
		o->before_out = 0;
	}
	if (o->before_out >= MOST_BYTES)
		o->before_out = 0;
}

/* The call had the stream for itself. */
static void settle_alone(struct scene *on, struct weir_role_flow *flow)
{
	struct weir_stream_book *book = on->book;
	struct outcome o = { 0 };
	bool fits = weir_stream_fits(book, on->s, on->pass->pending);

	on->trusted = is_mine(on) && fits && on->known &&
		      atomic_load(&book->offset) == (int64_t)on->position;
	if (is_mine(on) && !fits && (on->gone || weir_stream_is_plain(on->s)))
		take_crowd(on, &o);
	if (flow->sought && !flow->unsure && on->s->offset >= 0)
		reckon_sought(on, flow, &o);
	else if (!reckon(on, flow, &o))
		doubt(on, flow, &o);
	if (!flow->unsure)
		verify_unseen(on, &o);
	mind_appends(on, flow, &o);
	derive_all(on, &o);
	keep_book(on);
	if (!weir_ofd_leave_alone(on->ofd, on->pass->entered, o.move))
		weir_ofd_leave_crowd(on->ofd);
}

static struct scene look_at_stream(struct weir_pass *pass,
				   const struct weir_stream *s, bool gone)
{
	uint32_t ofd = weir_fdmap_ofd(pass->entry);
	struct weir_ofd *o = &weir_ofd_table[ofd];
	struct scene on = {
		.pass = pass,
		.s = s,
		.gone = gone,
		.book = &weir_stream_books[ofd],
		.ofd = ofd,
		.position = pass->entered & WEIR_OFD_POSITION,
		.known = !(pass->entered & WEIR_OFD_UNKNOWN),
		.turned = pass->ahead & WEIR_STREAM_TURNED,
	};

	pass->ahead &= ~WEIR_STREAM_TURNED;
	if (!gone) {
		if (atomic_load(&o->traits) & WEIR_OFD_UNSEEN) {
			weir_role_look(s->fd, o);
			on.known &= !(atomic_load(&o->word) & WEIR_OFD_UNKNOWN);
		}
		on.pending = weir_stream_pending(s);
		on.ahead = weir_stream_ahead(s) & ~WEIR_STREAM_TURNED;
	}
	on.put = atomic_load(&on.book->put);
	on.got = atomic_load(&on.book->got);
	on.blind = atomic_load(&on.book->blind);
	on.crowd = atomic_load(&on.book->crowd);
	on.traits = atomic_load(&o->traits);
	return on;
}

static void settle_scene(struct scene *on, struct weir_role_flow *flow)
{
	if (weir_ofd_is_alone(on->ofd, on->pass->entered)) {
		settle_alone(on, flow);
		return;
	}
	on->known = false;
	join_crowd(on, flow);
	weir_ofd_leave_crowd(on->ofd);
}

/*
 * Reading from a terminal, say, writes what was said there: libc does it
 * whenever it fills a stream that is not buffered in full.
 */
static void mind_stdout(const struct weir_pass *pass,
			const struct weir_stream *s)
{
	const struct weir_stream *out = (const struct weir_stream *)stdout;

	if (out && out != s && weir_stream_fd(out) >= 0 &&
	    s->flags & (WEIR_STREAM_LINES | WEIR_STREAM_UNBUFFERED) &&
	    out->flags & WEIR_STREAM_LINES)
		weir_role_catch_up(pass, out, weir_fdmap_get(out->fd));
}

/*
 * Who reads much from a stream that he has just written, which nobody should,
 * gets it from the kernel directly, and what was pending is lost.
 */
static void mind_direct(const struct scene *on, struct weir_pass *pass,
			const struct weir_args *args)
{
	const struct weir_stream *s = args->stream;

	if (args->call != WEIR_CALL_FREAD || !pass->pending ||
	    args->size < (uint64_t)(s->buf_end - s->buf_base))
		return;
	pass->pending = pass->ahead = 0;
	atomic_store(&on->book->pending, 0);
}

/* That a stream is not for reading libc finds out when it has written. */
static bool may_not_read(const struct weir_args *args,
			 const struct weir_role_flow *flow)
{
	return flow->reads && args->failed && args->err == EBADF &&
	       args->stream->flags & WEIR_STREAM_NO_READS;
}

/* fwrite does not say if it failed to write what the buffer took whole. */
static bool hides_failure(const struct weir_args *args)
{
	return args->call == WEIR_CALL_FWRITE &&
	       weir_stream_erred(args->stream);
}

/*
 * A text that does not end with a newline may have zero bytes in its last
 * line: the kernel knows. If it cannot be asked, there is none, or nothing of
 * what pipes end with would ever be told.
 */
static bool is_text(const struct scene *on, const struct weir_args *args)
{
	return args->call == WEIR_CALL_FGETS && args->size &&
	       on->s->flags & WEIR_STREAM_EOF && !args->failed &&
	       (!on->known ||
		(on->pass->pending && on->traits & WEIR_OFD_APPEND));
}

void weir_role_settle(struct weir_pass *pass, struct weir_args *args,
		      struct weir_role_flow flow)
{
	const struct weir_stream *s = args->stream;
	uint64_t lead;
	struct scene on;

	if (flow.reads)
		mind_stdout(pass, s);
	on = look_at_stream(pass, s, false);
	lead = pass->pending - pass->ahead;
	mind_direct(&on, pass, args);
	if (may_not_read(args, &flow) || is_text(&on, args))
		flow.unsure = false;
	else
		flow.unsure |= args->failed || hides_failure(args);
	flow.unsure |= !weir_stream_is_plain(s);
	settle_scene(&on, &flow);
	args->off = (int64_t)(on.position + lead);
	args->has_off =
		on.known && weir_stream_is_plain(s) && args->off >= 0 &&
		!(flow.puts && (on.turned || on.traits & WEIR_OFD_APPEND));
	weir_observe_record(pass, args);
}

void weir_role_catch_up(const struct weir_pass *pass,
			const struct weir_stream *s, uint64_t entry)
{
	struct weir_pass look = *pass;
	struct weir_role_flow nothing = { 0 };
	struct scene on;

	if (!weir_fdmap_ofd(entry) || !weir_stream_is_plain(s))
		return;
	look.entry = entry;
	look.why |= weir_fdmap_why(entry);
	look.handle = weir_fdmap_handle(entry);
	look.entered = weir_ofd_enter(weir_fdmap_ofd(entry));
	look.pending = weir_stream_pending(s);
	look.ahead = weir_stream_ahead(s);
	on = look_at_stream(&look, s, false);
	settle_scene(&on, &nothing);
}

void weir_role_settle_last(struct weir_pass *pass, const struct weir_stream *s,
			   bool written)
{
	struct scene on = look_at_stream(pass, s, true);
	/* Whether libc goes back to where the program read differs. */
	struct weir_role_flow flow = {
		.unsure = !written || (pass->ahead && !pass->pending),
	};

	settle_scene(&on, &flow);
}
