/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the record of a call, and those of what it did beside itself. */
#ifndef WEIR_RECORD_RECORD_H
#define WEIR_RECORD_RECORD_H

#include "capture/record/encode.h"
#include "capture/record/pass.h"

/*
 * Memory that comes back from the collector lies in another processor's
 * cache: ask for it some records before it is written.
 */
#define WEIR_RECORD_AHEAD 24 /* words */

/*
 * Write the record of a call that has a detail, and leave the thread READY:
 * longer, rarer, out of line.
 */
void weir_record_long(struct weir_pass *pass, const struct weir_args *args);

/*
 * A short record, or sums, instead of a record, as the manner of the trace
 * wants it. False: only a record will do, and that has times.
 */
bool weir_record_keep_otherwise(struct weir_brief *brief,
				const struct weir_encoded *detail);

/* Tell behind the arguments where the bytes of a transfer are in memory. */
static inline void weir_record_memory(struct weir_encoded *detail,
				      const void *memory)
{
	weir_encode_optional(detail, true, (uintptr_t)memory);
}

/* Count the call, by its place in `hidden` of the live file, and leave it. */
void weir_record_hide(struct weir_thread *t, uint32_t depth, uint32_t why);

/*
 * Records of what a call did beside itself or told of: one that a list call
 * submitted, bytes that a stream wrote through. They are written by the
 * call's role when the call is over (the thread is BUSY) and before its own
 * record, one level deeper, as if nested calls had just ended:
 *
 *	child = weir_record_child(pass, handle);
 *	d = weir_record_child_detail(&child);	(if there is a detail)
 *	weir_record_derive(&child, &args);
 *
 * The child begins as the parent's times; start and end may be changed
 * within them. Each is an event of its own: without room, a counted drop.
 */
static inline struct weir_pass weir_record_child(const struct weir_pass *pass,
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
weir_record_child_detail(struct weir_pass *child)
{
	struct weir_encoded *detail = &child->thread->derived;

	child->has_detail = true;
	weir_encoded_begin(detail);
	return detail;
}

void weir_record_derive(struct weir_pass *child, const struct weir_args *args);

WEIR_GATE_HOT uint64_t weir_record_def(const struct weir_pass *pass,
				       const struct weir_args *args)
{
	return args->call | (uint64_t)pass->depth << 16 |
	       (uint64_t)pass->flags << 24 | (uint64_t)pass->handle << 32;
}

/*
 * Write the words that follow word 0 and return their end; *form gets the
 * bits that say which. The layout is told in trace/layout/trace_layout.h.
 */
WEIR_GATE_HOT uint64_t *weir_record_words(struct weir_thread *t,
					  const struct weir_pass *pass,
					  const struct weir_args *args,
					  uint64_t *p, uint64_t *form)
{
	struct weir_thread_site *site;
	uint64_t def = weir_record_def(pass, args);
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
WEIR_GATE_HOT uint64_t *weir_record_times(struct weir_thread *t,
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
WEIR_GATE_HOT void weir_record_want(const uint64_t *word)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetchw %0" : : "m"(*word));
#else
	__builtin_prefetch(word, 1, 3);
#endif
}

#endif
