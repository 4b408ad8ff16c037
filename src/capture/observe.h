/* SPDX-License-Identifier: BSD-3-Clause */
/* The hot path: enter a call, leave it, write its record. */
#ifndef WEIR_CAPTURE_OBSERVE_H
#define WEIR_CAPTURE_OBSERVE_H

#include "base/clock.h"
#include "capture/callsums.h"
#include "capture/control.h"
#include "capture/filter.h"
#include "capture/ring.h"
#include "capture/thread.h"
#include "gate/gate.h"
#include "spec/ring.h"

#define WEIR_OBSERVE_WORDS 8 /* the most a record without detail takes */

/*
 * Memory that comes back from the collector lies in another processor's
 * cache: ask for it some records before it is written.
 */
#define WEIR_OBSERVE_AHEAD 24 /* words */

struct weir_pass {
	struct weir_thread *thread;
	uintptr_t address; /* of the wrapper's frame */
	uint64_t start;
	uint64_t end;
	uint64_t entry;	   /* of the descriptor map, as the call began */
	/* Polls have another use for these two, see poll.c. */
	uint64_t entered;  /* of the description, when it uses the position */
	uint64_t replaced; /* the entry that dup2 closes */
	uint64_t pending;  /* in the stream's buffer, as the call began */
	uint64_t ahead;
	uint64_t filled; /* of fseek: what the buffer held */
	int64_t offset;	 /* of fseek: where libc believed the kernel to be */
	uint32_t handle;
	uint32_t depth;
	uint32_t told; /* operations that a list call has handed over */
	bool uses_position;
	bool has_detail;
	uint8_t flags;
	uint8_t why; /* 0: recorded; else like `aside` in the control file */
};

extern bool weir_observe_counter; /* the tick is the processor's counter */

/* False: this call is not recorded. */
WEIR_GATE_HOT bool weir_observe_enter(struct weir_pass *pass)
{
	struct weir_thread *t = weir_thread_self;

	pass->address = (uintptr_t)__builtin_frame_address(0);
	if (weir_gate_unlikely(t->state != WEIR_THREAD_READY)) {
		if (!weir_thread_recording)
			return false;
		t = weir_thread_wake(pass->address);
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
	uint32_t depth = t->state == WEIR_THREAD_READY ? weir_thread_depth(t)
						       : 0;

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
				weir_callsums_key(call, pass->handle)))
		return 0;
	return weir_clock_tick(weir_observe_counter);
}

/* Open the call's frame and start its time. */
WEIR_GATE_HOT void weir_observe_start(struct weir_pass *pass,
				      const struct weir_args *args)
{
	struct weir_thread *t = pass->thread;
	uint32_t depth = weir_thread_depth(t);

	t->state = WEIR_THREAD_BUSY;
	if (weir_gate_unlikely(depth))
		depth = weir_thread_settle(t, pass->address);
	pass->depth = depth;
	pass->start = weir_gate_unlikely(pass->why) ?
			      weir_observe_when(pass, args->call) :
			      weir_clock_tick(weir_observe_counter);
	if (weir_gate_likely(depth < WEIR_SLOT_FRAMES)) {
		struct weir_slot_frame *frame = &t->slot->frames[depth];

		frame->call = args->call;
		frame->handle = pass->handle;
		frame->address = pass->address;
		/* 0: nobody is to be told of it */
		atomic_store_explicit(&frame->start,
				      pass->why & WEIR_FILTER_WHY ?
					      0 : pass->start,
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
	pass->end = weir_gate_unlikely(!pass->start ||
				       pass->why & WEIR_MANNER_RING) ?
			    pass->start :
			    weir_clock_tick(weir_observe_counter);
	if (weir_gate_unlikely(t->state != WEIR_THREAD_READY))
		return false; /* we are a forked child in the middle of it */
	t->address = pass->address;
	t->state = WEIR_THREAD_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	if (weir_gate_unlikely(weir_thread_depth(t) != pass->depth + 1))
		weir_thread_abandon(t, pass->depth + 1);
	return true;
}

WEIR_GATE_HOT void weir_observe_done(struct weir_thread *t)
{
	atomic_signal_fence(memory_order_seq_cst);
	t->state = WEIR_THREAD_READY;
}

WEIR_GATE_HOT struct weir_encoded *weir_observe_detail(struct weir_pass *pass)
{
	struct weir_encoded *detail = &pass->thread->detail;

	pass->has_detail = true;
	detail->used = 0;
	detail->cut = false;
	detail->names = 0;
	detail->hidden = 0;
	return detail;
}

/* Of a call with a detail, which is written: all its names are hidden. */
static inline uint32_t weir_observe_hides(const struct weir_encoded *detail)
{
	return detail->names && detail->names == detail->hidden ? detail->why
								: 0;
}

/* Why nothing will be kept of the call, enum weir_filter_why. */
static inline uint32_t weir_observe_why(const struct weir_pass *pass)
{
	uint32_t why = pass->why & WEIR_FILTER_WHY;

	if (!why && pass->has_detail)
		return weir_observe_hides(&pass->thread->detail);
	return why;
}

/* A record is written of the call, as the trace's readers know it. */
static inline bool weir_observe_tells(const struct weir_pass *pass)
{
	return !weir_observe_why(pass) && !(pass->why & WEIR_MANNER_RING);
}

/* A record with detail: longer, rarer, out of line. */
void weir_observe_record_long(struct weir_pass *pass,
			      const struct weir_args *args);

/*
 * Records of what a call did beside itself or told of: one that a list call
 * submitted, bytes that a stream wrote through. They are written by the
 * call's role when the call is over (the thread is BUSY) and before its own
 * record, one level deeper, as if nested calls had just ended:
 *
 *	child = weir_observe_child(pass, handle);
 *	d = weir_observe_child_detail(&child);	(if there is a detail)
 *	weir_observe_derive(&child, &args);
 *
 * The child begins as the parent's times; start and end may be changed
 * within them. Each is an event of its own: without room, a counted drop.
 */
static inline struct weir_pass weir_observe_child(const struct weir_pass *pass,
						  uint32_t handle)
{
	return (struct weir_pass){
		.thread = pass->thread,
		.start = pass->start,
		.end = pass->end,
		.handle = handle,
		.depth = pass->depth + 1,
		.flags = pass->flags & WEIR_EVENT_VFORK,
		.why = pass->why,
	};
}

/* Beside the parent's detail, which is already written. */
static inline struct weir_encoded *
weir_observe_child_detail(struct weir_pass *child)
{
	struct weir_encoded *detail = &child->thread->derived;

	child->has_detail = true;
	detail->used = 0;
	detail->cut = false;
	detail->names = 0;
	return detail;
}

/* What a short record says, for a call that the compiler knows. */
WEIR_GATE_HOT uint64_t weir_observe_datum(const struct weir_args *args)
{
	if (weir_gate_unlikely(args->failed))
		return (uint64_t)-(int64_t)args->err;
	switch (weir_ring_calls[args->call] >> 4 & 3) {
	case WEIR_RING_OFF:
		return (uint64_t)args->off;
	case WEIR_RING_SIZE:
		return args->size;
	case WEIR_RING_FLAGS:
		return (uint32_t)args->flags;
	}
	return (uint64_t)args->ret;
}

/* The rest of it, as weir_ring_put() takes it. */
WEIR_GATE_HOT uint64_t weir_observe_whose(const struct weir_pass *pass,
					  const struct weir_args *args)
{
	uint32_t form = weir_ring_calls[args->call];

	if (!args->has_off)
		form &= ~(uint32_t)WEIR_RING_POSITIONED;
	return (uint64_t)pass->handle << 32 | pass->depth << 8 | form;
}

/*
 * What there is to know of a call that is not simply recorded. A copy, so
 * that pass and args can live in registers.
 */
struct weir_brief {
	struct weir_thread *thread;
	uint64_t start, end; /* ticks */
	uint64_t datum, whose; /* as a short record has it */
	uint64_t size;
	int64_t off;
	int64_t ret;
	uint32_t handle;
	int32_t fd;  /* -1: none */
	int32_t err; /* when it failed */
	uint16_t call;
	uint8_t depth;
	uint8_t flags; /* WEIR_EVENT_* */
	uint8_t why;
	bool has_off;
	bool failed;
	bool has_detail; /* the thread's `detail`, or `derived` of a child */
};

WEIR_GATE_HOT struct weir_brief weir_observe_brief(const struct weir_pass *pass,
						   const struct weir_args *args)
{
	return (struct weir_brief){
		.thread = pass->thread,
		.start = pass->start,
		.end = pass->end,
		.size = args->size,
		.off = args->off,
		.ret = args->ret,
		.handle = pass->handle,
		.fd = args->has_fd ? args->fd : -1,
		.err = args->err,
		.datum = weir_observe_datum(args),
		.whose = weir_observe_whose(pass, args),
		.call = args->call,
		.depth = (uint8_t)pass->depth,
		.flags = pass->flags,
		.why = pass->why,
		.has_off = args->has_off,
		.failed = args->failed,
		.has_detail = pass->has_detail,
	};
}

/*
 * The call is counted, or kept in another manner, and the thread is READY.
 * False: it is to be recorded all the same, with the times, the flags and the
 * detail that *brief has.
 */
bool weir_observe_aside(struct weir_brief *brief);

/* Count the call, by its place in `hidden` of the live file, and leave it. */
void weir_observe_hide(struct weir_thread *t, uint32_t depth, uint32_t why);

void weir_observe_derive(struct weir_pass *child, const struct weir_args *args);

WEIR_GATE_HOT uint64_t weir_observe_def(const struct weir_pass *pass,
					const struct weir_args *args)
{
	return args->call | (uint64_t)pass->depth << 16 |
	       (uint64_t)pass->flags << 24 | (uint64_t)pass->handle << 32;
}

/*
 * Write the words that follow word 0 and return their end; *form gets the
 * bits that say which. The layout is told in trace/trace_layout.h.
 */
WEIR_GATE_HOT uint64_t *weir_observe_words(struct weir_thread *t,
					   const struct weir_pass *pass,
					   const struct weir_args *args,
					   uint64_t *p, uint64_t *form)
{
	struct weir_thread_site *site;
	uint64_t def = weir_observe_def(pass, args);
	uint64_t index = (args->call + pass->handle * 7) % WEIR_RECORD_SITES;
	uint64_t bits = index << WEIR_RECORD_SITE_SHIFT;
	uint64_t usual;

	site = &t->sites[index];
	if (weir_gate_unlikely(site->def != def)) {
		bits |= WEIR_RECORD_DEF;
		*p++ = site->def = def;
		*p++ = site->size = args->size;
		site->next = 0;
	} else if (weir_gate_unlikely(site->size != args->size)) {
		bits |= WEIR_RECORD_SIZE;
		*p++ = site->size = args->size;
	}
	if (!args->has_off) {
		bits |= WEIR_RECORD_NOOFF;
	} else {
		if (site->next != (uint64_t)args->off) {
			bits |= WEIR_RECORD_OFF;
			*p++ = (uint64_t)args->off;
		}
		site->next = (uint64_t)args->off + args->size;
	}
	usual = pass->flags & WEIR_EVENT_RETSIZE ? args->size : 0;
	if (weir_gate_unlikely(args->failed)) {
		bits |= WEIR_RECORD_RET | WEIR_RECORD_FAILED;
		*p++ = (uint64_t)args->err;
	} else if ((uint64_t)args->ret != usual) {
		bits |= WEIR_RECORD_RET;
		*p++ = (uint64_t)args->ret;
	}
	*form = bits;
	return p;
}

/* Word 0 with its times, which get words of their own when too long. */
WEIR_GATE_HOT uint64_t *weir_observe_times(struct weir_thread *t,
					   const struct weir_pass *pass,
					   uint64_t *p, uint64_t *form)
{
	uint64_t gap = pass->start - t->previous_end;
	uint64_t dur = pass->end - pass->start;

	t->previous_end = pass->end;
	if (weir_gate_unlikely((gap | dur) >> WEIR_RECORD_TIME_BITS)) {
		*form |= WEIR_RECORD_WIDE;
		*p++ = gap;
		*p++ = dur;
	} else {
		*form |= dur << WEIR_RECORD_DUR_SHIFT |
			 gap << WEIR_RECORD_GAP_SHIFT;
	}
	return p;
}

/* To write to; the compiler's own would ask for it only to read. */
WEIR_GATE_HOT void weir_observe_want(const uint64_t *word)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetchw %0" : : "m"(*word));
#else
	__builtin_prefetch(word, 1, 3);
#endif
}

/* The usual call of which a short record is kept. */
WEIR_GATE_HOT bool weir_observe_keep(const struct weir_pass *pass,
				     const struct weir_args *args)
{
	if (pass->why != WEIR_MANNER_RING || pass->has_detail)
		return false;
	weir_ring_put(pass->thread, pass->start, weir_observe_datum(args),
		      args->off, weir_observe_whose(pass, args));
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
		pass->thread, weir_callsums_key(args->call, pass->handle),
		args->size, args->has_off ? args->off : WEIR_CALLSUMS_NOWHERE,
		args->failed ? -1 : args->ret & ~(args->ret >> 63));
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
		brief = weir_observe_brief(pass, args);
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

		weir_observe_record_long(&long_pass, &long_args);
		return;
	}
	p = t->cursor;
	if (weir_gate_unlikely(p >= t->limit)) {
		p = weir_thread_room(t, WEIR_OBSERVE_WORDS);
		if (!p) {
			weir_thread_drop(t, pass->depth, pass->end);
			weir_observe_done(t);
			return;
		}
	}
	end = weir_observe_words(t, pass, args, p + 1, &form);
	end = weir_observe_times(t, pass, end, &form);
	*p = form;
	t->cursor = end;
	t->records++;
	weir_thread_commit(t, weir_thread_word(t, end, pass->depth));
	weir_observe_want(end + WEIR_OBSERVE_AHEAD);
	weir_observe_done(t);
}

#endif
