/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roles of calls on streams. A stream is known by its descriptor, so it has
 * the descriptor's handle and position. What its buffer gave to the kernel
 * and took from it is not seen as calls: it follows from how full the buffer
 * was before and is after, and becomes records of its own.
 */
#ifndef WEIR_CAPTURE_ROLE_STREAM_H
#define WEIR_CAPTURE_ROLE_STREAM_H

#include "capture/role.h"
#include "gate/moves.h"
#include "gate/stream.h"

/* A stream that is not known yet; 0 when nothing can be known of it. */
uint64_t weir_role_meet(struct weir_pass *pass, struct weir_args *args);

WEIR_GATE_HOT void weir_role_find_stream(struct weir_pass *pass,
					 struct weir_args *args)
{
	const struct weir_stream *s = args->stream;
	uint64_t entry = weir_gate_likely(s) ? weir_fdmap_get(s->fd) : 0;

	if (weir_gate_unlikely(!entry || pass->thread->vforks)) {
		struct weir_pass late_pass = *pass;
		struct weir_args late_args = *args;

		entry = weir_role_meet(&late_pass, &late_args);
		pass->handle = late_pass.handle;
	} else {
		pass->handle = weir_fdmap_handle(entry);
	}
	pass->entry = entry;
	pass->why |= weir_fdmap_why(entry);
}

#define WEIR_ROLE_NOT_PLAIN UINT64_MAX

/* Any call that may fill, empty or move the buffer of args->stream. */
WEIR_GATE_HOT void weir_role_enter_stream(struct weir_pass *pass,
					   struct weir_args *args)
{
	uint32_t ofd;

	weir_role_find_stream(pass, args);
	ofd = weir_fdmap_ofd(pass->entry);
	if (weir_gate_likely(ofd)) {
		pass->uses_position = true;
		pass->entered = weir_ofd_enter(ofd);
		pass->pending = weir_stream_pending(args->stream);
		pass->ahead = weir_stream_is_plain(args->stream) ?
				      weir_stream_ahead(args->stream) :
				      WEIR_ROLE_NOT_PLAIN;
	}
	weir_observe_start(pass, args);
}

/* What a call did to the buffer. */
struct weir_role_flow {
	uint64_t put, got; /* moved between program and buffer */
	uint64_t out, in;  /* moved between buffer and kernel */
	uint64_t before;   /* written by libc before the call, unseen */
	bool known;
};

/* The buffer was turned over, or what it did must be thought about. */
void weir_role_settle(struct weir_pass *pass, struct weir_args *args,
		      struct weir_role_flow flow);

WEIR_GATE_HOT bool weir_role_book_fits(const struct weir_stream_book *book,
				       const struct weir_pass *pass,
				       const struct weir_stream *s)
{
	return atomic_load_explicit(&book->owner, memory_order_relaxed) ==
		       (uintptr_t)s &&
	       !atomic_load_explicit(&book->crowded, memory_order_relaxed) &&
	       atomic_load_explicit(&book->pending, memory_order_relaxed) <=
		       pass->pending;
}

/*
 * The usual call moves bytes between the program and the buffer alone: the
 * kernel's position stays, nothing is derived.
 */
WEIR_GATE_HOT void weir_role_leave_stream(struct weir_pass *pass,
					  struct weir_args *args,
					  uint64_t put, uint64_t got)
{
	struct weir_role_flow flow = { .put = put, .got = got };
	const struct weir_stream *s = args->stream;
	uint32_t ofd = weir_fdmap_ofd(pass->entry);
	struct weir_stream_book *book = &weir_stream_books[ofd];
	uint64_t pending, ahead;

	if (weir_gate_unlikely(!pass->uses_position)) {
		weir_observe_record(pass, args);
		return;
	}
	pending = weir_stream_pending(s);
	ahead = weir_stream_ahead(s);
	flow.out = pass->pending + put - pending;
	flow.in = got + ahead - pass->ahead;
	if (weir_gate_unlikely(
		    flow.out | flow.in | args->failed ||
		    !weir_stream_is_plain(s) ||
		    !weir_role_book_fits(book, pass, s) ||
		    !weir_ofd_leave_alone(
			    ofd, pass->entered,
			    (struct weir_ofd_move){ .certain = true }))) {
		struct weir_pass late_pass = *pass;
		struct weir_args late_args = *args;

		weir_role_settle(&late_pass, &late_args, flow);
		return;
	}
	atomic_store_explicit(&book->pending, pending, memory_order_relaxed);
	atomic_store_explicit(&book->ahead, ahead, memory_order_relaxed);
	args->has_off = !(pass->entered & WEIR_OFD_UNKNOWN);
	args->off = (int64_t)((pass->entered & WEIR_OFD_POSITION) +
			      pass->pending - pass->ahead);
	weir_observe_record(pass, args);
}

/* Calls that give bytes to the stream and take bytes from it. */
WEIR_GATE_HOT void weir_role_put_before(struct weir_pass *pass,
					struct weir_args *args)
{
	pass->flags |= WEIR_EVENT_RETSIZE;
	weir_role_enter_stream(pass, args);
}

WEIR_GATE_HOT void weir_role_put_after(struct weir_pass *pass,
				       struct weir_args *args)
{
	weir_role_leave_stream(pass, args, args->moved, 0);
}

WEIR_GATE_HOT void weir_role_get_before(struct weir_pass *pass,
					struct weir_args *args)
{
	pass->flags |= WEIR_EVENT_RETSIZE;
	weir_role_enter_stream(pass, args);
}

WEIR_GATE_HOT void weir_role_get_after(struct weir_pass *pass,
				       struct weir_args *args)
{
	if (weir_gate_unlikely(args->size == WEIR_MOVES_BLIND)) {
		args->size = 0;
		args->ret = 0;
	}
	weir_role_leave_stream(pass, args, 0, args->moved);
}

WEIR_ROLE(fopen);  /* a new stream on a new descriptor */
WEIR_ROLE(adopt);  /* a new stream on a descriptor that is there */
WEIR_ROLE(unnamed); /* a new stream without a descriptor */
WEIR_ROLE(freopen);
WEIR_ROLE(fclose);
WEIR_ROLE(fpopen);
WEIR_ROLE(fseek);  /* moves or asks for the position */
WEIR_ROLE(fflush);
WEIR_ROLE(buffer); /* gives the stream another buffer, asks about it */
WEIR_ROLE(scan);   /* takes nobody knows how many bytes */

/* The program ends: libc is about to write what streams still hold. */
void weir_role_end_streams(void);

#endif
