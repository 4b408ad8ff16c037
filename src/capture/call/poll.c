/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts polls that found nothing instead of recording them. */
#include "capture/call/poll.h"

#include "capture/call/observe.h"
#include "capture/record/record.h"

/*
 * A frame that is closed still tells when the last call at its depth began. So
 * what was there before tells whether this is the next call after a poll, and
 * what is one level deeper whether anything happened inside it. Until the end
 * of the call they are kept in the pass, as `entered` and `replaced`: a union
 * there would make the compiler clear the passes of other calls word by word.
 */
static uint64_t last_start(const struct weir_thread *t, uint32_t depth)
{
	return depth < WEIR_SLOT_FRAMES
		       ? atomic_load_explicit(&t->slot->frames[depth].start,
					      memory_order_relaxed)
		       : 0;
}

/* Of sums not every call is timed: then a mark tells whether one was there. */
#define NOTHING_INSIDE 1

static void start_timed(struct weir_pass *pass)
{
	struct weir_slot_frame *frames = pass->thread->slot->frames;

	if (!pass->start) {
		pass->start = weir_tick_now();
		if (pass->depth < WEIR_SLOT_FRAMES)
			atomic_store_explicit(&frames[pass->depth].start,
					      pass->start,
					      memory_order_relaxed);
	}
	if (pass->depth + 1 < WEIR_SLOT_FRAMES)
		atomic_store_explicit(&frames[pass->depth + 1].start,
				      NOTHING_INSIDE, memory_order_relaxed);
}

void weir_poll_start(struct weir_pass *pass, const struct weir_args *args)
{
	uint32_t depth = weir_thread_depth(pass->thread);
	uint64_t before = last_start(pass->thread, depth);

	weir_observe_start(pass, args);
	/* After a longjmp it is another frame that was opened. */
	pass->entered = pass->depth == depth ? before : 0;
	if (pass->why == WEIR_MANNER_PROFILE)
		start_timed(pass);
	pass->replaced = last_start(pass->thread, pass->depth + 1);
}

static bool may_fold(const struct weir_pass *pass)
{
	return !(weir_control->flags & WEIR_CONTROL_ALL) &&
	       !(pass->why & WEIR_FILTER_WHY) &&
	       pass->depth + 1 < WEIR_SLOT_FRAMES &&
	       last_start(pass->thread, pass->depth + 1) == pass->replaced;
}

/* Inside another call, or the next one after such a poll. */
static bool is_repeated(const struct weir_pass *pass)
{
	uint64_t polled = pass->thread->polled;

	return pass->depth || (polled && pass->entered == polled);
}

bool weir_poll_fold(struct weir_pass *pass)
{
	struct weir_thread *t = pass->thread;

	if (!may_fold(pass) || !is_repeated(pass)) {
		t->polled = pass->start;
		return false;
	}
	weir_record_hide(t, pass->depth, WEIR_LIVE_POLLS);
	/* As if it had not been: to those around it and after it. */
	atomic_store_explicit(&t->slot->frames[pass->depth].start,
			      pass->entered, memory_order_relaxed);
	weir_thread_done(t);
	return true;
}
