/* SPDX-License-Identifier: BSD-3-Clause */
/* Enters a call, leaves it and writes its record: the hot path. */
#ifndef WEIR_CALL_OBSERVE_H
#define WEIR_CALL_OBSERVE_H

#include "base/clock.h"
#include "capture/call/threadlife.h"
#include "capture/memory/control.h"
#include "capture/memory/ring.h"
#include "capture/memory/thread.h"
#include "capture/memory/tick.h"
#include "capture/process/filter.h"
#include "capture/record/callsums.h"
#include "capture/record/chunk.h"
#include "capture/record/record.h"
#include "gate/gate.h"
#include "spec/ring.h"

/* False: this call is not recorded. */
WEIR_GATE_HOT bool weir_observe_enter(struct weir_pass *pass)
{
	struct weir_thread *t = weir_thread_self;

	pass->address = (uintptr_t)__builtin_frame_address(0);
	if (weir_gate_unlikely(t->state != WEIR_THREAD_READY)) {
		if (!weir_thread_recording)
			return false;
		t = weir_threadlife_wake(pass->address);
		if (!t)
			return false;
	}
	pass->thread = t;
	t->address = pass->address;
	pass->uses_position = false;
	pass->has_detail = false;
	pass->told = 0;
	pass->flags = t->vforks ? WEIR_EVENT_VFORK : 0;
	pass->why = (uint8_t)weir_control_aside();
	return true;
}

/*
 * Whether this call is open already: then a library that was called by its
 * name makes it through syscall(), and it is one call, not two.
 */
static inline bool weir_observe_is_inside(uint16_t call)
{
	const struct weir_thread *t = weir_thread_self;
	uint32_t depth =
		t->state == WEIR_THREAD_READY ? weir_thread_depth(t) : 0;

	return depth && depth <= WEIR_SLOT_FRAMES &&
	       t->slot->frames[depth - 1].call == call;
}

/*
 * The tick at which a call begins that is not simply recorded; 0: it need not
 * be timed, at its end neither.
 */
static inline uint64_t weir_observe_when(const struct weir_pass *pass,
					 uint16_t call)
{
	if (pass->why == WEIR_MANNER_PROFILE &&
	    weir_callsums_skips(pass->thread,
				weir_callsums_key(call, pass->handle,
						  pass->depth)))
		return 0;
	return weir_tick_now();
}

/* Open the call's frame and start its time. */
WEIR_GATE_HOT void weir_observe_start(struct weir_pass *pass,
				      const struct weir_args *args)
{
	struct weir_thread *t = pass->thread;
	uint32_t depth = weir_thread_depth(t);

	t->state = WEIR_THREAD_BUSY;
	if (weir_gate_unlikely(depth))
		depth = weir_threadlife_settle(t, pass->address);
	pass->depth = depth;
	pass->start = weir_gate_unlikely(pass->why)
			      ? weir_observe_when(pass, args->call)
			      : weir_tick_now();
	if (weir_gate_likely(depth < WEIR_SLOT_FRAMES)) {
		struct weir_slot_frame *frame = &t->slot->frames[depth];

		frame->call = args->call;
		frame->handle = pass->handle;
		frame->address = pass->address;
		/* 0: nobody is to be told of it */
		atomic_store_explicit(&frame->start,
				      pass->why & WEIR_FILTER_WHY ? 0
								  : pass->start,
				      memory_order_relaxed);
	}
	weir_thread_commit(t, t->commit + WEIR_COMMIT_DEPTH_ONE);
	atomic_signal_fence(memory_order_seq_cst);
	t->state = WEIR_THREAD_READY;
}

/* The call is over. True: a record may be written (the thread is BUSY). */
WEIR_GATE_HOT bool weir_observe_leave(struct weir_pass *pass)
{
	struct weir_thread *t = pass->thread;

	/* What is not timed has no end, nor has a short record. */
	pass->end =
		weir_gate_unlikely(!pass->start || pass->why & WEIR_MANNER_RING)
			? pass->start
			: weir_tick_now();
	if (weir_gate_unlikely(t->state != WEIR_THREAD_READY))
		return false; /* we are a forked child in the middle of it */
	t->address = pass->address;
	t->state = WEIR_THREAD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	if (weir_gate_unlikely(weir_thread_depth(t) != pass->depth + 1))
		weir_threadlife_abandon(t, pass->depth + 1);
	return true;
}

WEIR_GATE_HOT struct weir_encoded *weir_observe_detail(struct weir_pass *pass)
{
	struct weir_encoded *detail = &pass->thread->detail;

	pass->has_detail = true;
	weir_encoded_begin(detail);
	return detail;
}

/*
 * The call is counted, or kept in another manner, and the thread is READY.
 * False: it is to be recorded all the same, with the times, the flags and the
 * detail that *brief has.
 */
bool weir_observe_aside(struct weir_brief *brief);

/* The usual call of which a short record is kept. */
WEIR_GATE_HOT bool weir_observe_keep(const struct weir_pass *pass,
				     const struct weir_args *args)
{
	if (pass->why != WEIR_MANNER_RING || pass->has_detail)
		return false;
	weir_ring_put(pass->thread, pass->start, weir_pass_datum(args),
		      args->off, weir_pass_whose(pass, args));
	return true;
}

/* The usual call of which sums are kept: no more than registers hold. */
static inline bool weir_observe_count(const struct weir_pass *pass,
				      const struct weir_args *args)
{
	if (pass->start || pass->has_detail ||
	    pass->why != WEIR_MANNER_PROFILE ||
	    pass->flags & WEIR_EVENT_NEWHANDLE)
		return false;
	return weir_callsums_count(
		pass->thread,
		weir_callsums_key(args->call, pass->handle, pass->depth),
		args->size, args->has_off ? args->off : WEIR_CALLSUMS_NOWHERE,
		args->failed ? -1 :
			       weir_callsums_moved(args->call, args->size,
						   args->ret));
}

/*
 * Record a call that ended. args->has_off says whether its offset is known.
 * Leaves the thread READY.
 */
WEIR_GATE_HOT void weir_observe_record(struct weir_pass *pass,
				       const struct weir_args *args)
{
	struct weir_thread *t = pass->thread;
	uint64_t *p;
	uint64_t *end;
	uint64_t form;

	if (weir_gate_unlikely(pass->why)) {
		struct weir_brief brief;

		if (weir_observe_keep(pass, args) ||
		    weir_observe_count(pass, args))
			return;
		brief = weir_pass_brief(pass, args);
		if (weir_observe_aside(&brief))
			return;
		pass->start = brief.start;
		pass->end = brief.end;
		pass->flags = brief.flags;
		pass->has_detail = brief.has_detail;
	}
	if (pass->has_detail) {
		/* Copies: what escapes cannot live in registers. */
		struct weir_pass long_pass = *pass;
		struct weir_args long_args = *args;

		weir_record_long(&long_pass, &long_args);
		return;
	}
	p = t->cursor;
	if (weir_gate_unlikely(p >= t->limit)) {
		p = weir_chunk_room(t, WEIR_CHUNK_WORDS);
		if (!p) {
			weir_chunk_drop(t, pass->depth, pass->end);
			weir_thread_done(t);
			return;
		}
	}
	end = weir_record_words(t, pass, args, p + 1, &form);
	end = weir_record_times(t, pass, end, &form);
	*p = form;
	t->cursor = end;
	t->records++;
	weir_thread_commit(t, weir_thread_word(t, end, pass->depth));
	weir_record_want(end + WEIR_RECORD_AHEAD);
	weir_thread_done(t);
}

#endif
