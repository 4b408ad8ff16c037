/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roles of calls on streams. A stream is known by its descriptor, so it has
 * the descriptor's handle and position. What its buffer gave to the kernel
 * and took from it is not seen as calls: it follows from how full the buffer
 * was before and is after, and becomes records of its own.
 */
#ifndef WEIR_STREAMS_ROLE_STREAM_H
#define WEIR_STREAMS_ROLE_STREAM_H

#include "capture/record/pass.h"
#include "capture/roles/role.h"
#include "gate/moves.h"
#include "gate/stream.h"

/* What the letters of a mode mean to the descriptor. */
int weir_role_letters(const char *mode);

/* A stream that is not known yet; 0 when nothing can be known of it. */
uint64_t weir_role_meet(struct weir_thread *t, const struct weir_stream *s,
			uint32_t *ret_handle);

WEIR_GATE_HOT void weir_role_find_stream(struct weir_pass *pass,
					 struct weir_args *args)
{
	const struct weir_stream *s = args->stream;
	uint64_t entry =
		weir_gate_likely(s) ? weir_fdmap_get(weir_stream_fd(s)) : 0;

	if (weir_gate_unlikely(!weir_fdmap_ofd(entry) ||
			       pass->thread->vforks)) {
		uint32_t handle;

		entry = weir_role_meet(pass->thread, s, &handle);
		pass->handle = handle;
	} else {
		pass->handle = weir_fdmap_handle(entry);
	}
	pass->entry = entry;
	pass->why |= weir_fdmap_why(entry);
}

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
		pass->ahead = weir_stream_ahead(args->stream);
		if (weir_digesting_wants(pass)) {
			struct weir_digesting_call call =
				weir_digesting_call(pass, args);

			weir_digest_stream(&call);
		}
	}
	weir_observe_start(pass, args);
}

/* What a call did, as far as its result tells. */
struct weir_role_flow {
	uint64_t put, got; /* moved between program and buffer */
	bool puts;	   /* it is there to write */
	bool reads;	   /* it may take bytes from the kernel */
	bool unsure;	   /* put and got are not all that was moved */
	bool asks;	   /* it is rare enough to ask the kernel then */
	bool sought;	   /* libc has set the position and knows it */
	uint64_t filled;   /* read by libc after it was set */
	uint64_t missed;   /* read by libc before it was set, in vain */
};

/* The buffer was turned over, or what it did must be thought about. */
void weir_role_settle(struct weir_pass *pass, struct weir_args *args,
		      struct weir_role_flow flow);

/*
 * The usual call moves bytes between the program and the buffer alone: the
 * kernel's position stays, nothing is derived. While nobody else is inside
 * the description, what the buffer shows is this call's doing.
 */
WEIR_GATE_HOT void weir_role_leave_stream(struct weir_pass *pass,
					  struct weir_args *args,
					  struct weir_role_flow flow)
{
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
	if (weir_gate_unlikely(pass->pending + flow.put - pending ||
			       flow.got + ahead - pass->ahead ||
			       pass->ahead >= WEIR_STREAM_TURNED ||
			       args->failed || flow.unsure ||
			       !weir_stream_is_plain(s) ||
			       !weir_stream_fits(book, s, pass->pending) ||
			       !weir_ofd_is_alone(ofd, pass->entered))) {
		/* Member by member: a copy would be made up for every call. */
		struct weir_pass late_pass = *pass;
		struct weir_args late_args = {
			.call = args->call,
			.size = args->size,
			.ret = args->ret,
			.failed = args->failed,
			.err = args->err,
			.stream = args->stream,
			.memory = args->memory,
		};

		weir_role_settle(&late_pass, &late_args, flow);
		return;
	}
	atomic_store_explicit(&book->pending, pending, memory_order_relaxed);
	atomic_store_explicit(&book->ahead, ahead, memory_order_relaxed);
	weir_ofd_leave_unmoved(ofd);
	args->off = (int64_t)((pass->entered & WEIR_OFD_POSITION) +
			      pass->pending - pass->ahead);
	args->has_off = !(pass->entered & WEIR_OFD_UNKNOWN) && args->off >= 0 &&
			!(flow.puts && s->flags & WEIR_STREAM_APPENDS);
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
	struct weir_role_flow flow = {
		.put = args->moved,
		.puts = true,
		.unsure = args->moved != args->size,
		.asks = true,
	};

	if (weir_digesting_wants(pass) && (flow.unsure || args->failed))
		weir_digest_stream_short(pass->handle);
	weir_role_leave_stream(pass, args, flow);
}

WEIR_GATE_HOT void weir_role_get_before(struct weir_pass *pass,
					struct weir_args *args)
{
	pass->flags |= WEIR_EVENT_RETSIZE;
	weir_role_enter_stream(pass, args);
}

/* Of an item that the file did not have whole, the rest is lost. */
WEIR_GATE_HOT void weir_role_get_after(struct weir_pass *pass,
				       struct weir_args *args)
{
	struct weir_role_flow flow = {
		.got = args->moved,
		.reads = true,
		.unsure = args->unsure ||
			  (args->moved != args->size && args->unit != 1),
		.asks = true,
	};

	weir_role_leave_stream(pass, args, flow);
}

WEIR_ROLE(fopen);   /* a new stream on a new descriptor */
WEIR_ROLE(adopt);   /* a new stream on a descriptor that is there */
WEIR_ROLE(unnamed); /* a new stream without a descriptor */
WEIR_ROLE(freopen);
WEIR_ROLE(fclose);
WEIR_ROLE(fpopen);
WEIR_ROLE(fseek);	/* sets the position */
WEIR_ROLE(ftell);	/* asks for it */
WEIR_ROLE(unget);	/* puts back what was read */
WEIR_ROLE(purge);	/* throws away what is in the buffer */
WEIR_ROLE(write_entry); /* puts nobody knows how many bytes */
WEIR_ROLE(stray);	/* puts them wherever it likes */
WEIR_ROLE(fflush);
WEIR_ROLE(buffer); /* gives the stream another buffer, asks about it */
WEIR_ROLE(scan);   /* takes nobody knows how many bytes */

/* Of a stream that no call is made on: see weir_digest_stream(). */
void weir_role_digest_pending(const struct weir_pass *pass,
			      const struct weir_stream *s, uint64_t entry);

/*
 * Only look what was done to a stream behind our back, when the thread is
 * BUSY; records are derived from `pass`, a call that is over.
 */
void weir_role_catch_up(const struct weir_pass *pass,
			const struct weir_stream *s, uint64_t entry);

/*
 * As settle, for a stream that is gone: all that was pending is written if
 * `written`. The description is left, the call not yet recorded.
 */
void weir_role_settle_last(struct weir_pass *pass, const struct weir_stream *s,
			   bool written);

/* The program ends: libc is about to write what streams still hold. */
void weir_role_end_streams(void);

#endif
