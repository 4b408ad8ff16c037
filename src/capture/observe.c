/* SPDX-License-Identifier: BSD-3-Clause */
/* The longer records: calls with a detail, and what calls stand for. */
#include "capture/observe.h"

#include "capture/callsite.h"
#include "capture/callsums.h"
#include "capture/pool.h"
#include "capture/ring.h"

#include <string.h>

bool weir_observe_counter;

/*
 * Write a record and leave pass->depth frames open; `detail` may be NULL. What
 * finds no room is counted.
 */
static void put_record(struct weir_pass *pass, const struct weir_args *args,
		       const struct weir_encoded *detail)
{
	struct weir_thread *t = pass->thread;
	uint32_t words = detail ? 1 + (detail->used + 7) / 8 : 0;
	uint64_t *p = weir_thread_room(t, WEIR_OBSERVE_WORDS + words);
	uint64_t *at;
	uint64_t form;

	if (!p) {
		weir_thread_drop(t, pass->depth, pass->end);
		return;
	}
	if (detail && detail->cut)
		pass->flags |= WEIR_EVENT_CUT;
	at = weir_observe_words(t, pass, args, p + 1, &form);
	at = weir_observe_times(t, pass, at, &form);
	if (detail) {
		form |= WEIR_RECORD_DETAIL;
		at[words - 1] = 0;
		at[0] = detail->used;
		memcpy(at + 1, detail->bytes, detail->used);
		at += words;
	}
	*p = form;
	t->cursor = at;
	t->records++;
	weir_thread_commit(t, weir_thread_word(t, at, pass->depth));
}

/* Leave the call's frame without a record. */
static void close_frame(struct weir_thread *t, uint32_t depth)
{
	weir_thread_commit(t, (t->commit & ~(UINT64_C(0xff)
					     << WEIR_COMMIT_DEPTH_SHIFT)) |
				      (uint64_t)depth
					      << WEIR_COMMIT_DEPTH_SHIFT);
}

void weir_observe_hide(struct weir_thread *t, uint32_t depth, uint32_t why)
{
	atomic_fetch_add_explicit(&weir_pool_live()->hidden[why], 1,
				  memory_order_relaxed);
	close_frame(t, depth);
}

/* False: only a record will do, and that has times. */
static bool keep_otherwise(struct weir_brief *brief,
			   const struct weir_encoded *detail)
{
	if (!(brief->why & (WEIR_MANNER_RING | WEIR_MANNER_PROFILE)))
		return false;
	if (brief->why & WEIR_MANNER_RING) {
		weir_ring_keep(brief->start, brief->datum, brief->off,
			       brief->whose);
		return true;
	}
	if (!weir_callsums_add(brief, brief->has_detail && detail->names))
		return true;
	if (!brief->start)
		brief->start = brief->end =
			weir_clock_tick(weir_observe_counter);
	return false;
}

bool weir_observe_aside(struct weir_brief *brief)
{
	struct weir_thread *t = brief->thread;
	uint32_t why = brief->why & WEIR_FILTER_WHY;

	if (!why && brief->has_detail)
		why = weir_observe_hides(&t->detail);
	if (why) {
		weir_observe_hide(t, brief->depth, why);
	} else if (brief->why & WEIR_MANNER_SITES) {
		weir_callsite_add(brief);
		return false;
	} else {
		if (!keep_otherwise(brief, &t->detail))
			return false;
		close_frame(t, brief->depth);
	}
	weir_observe_done(t);
	return true;
}

void weir_observe_record_long(struct weir_pass *pass,
			      const struct weir_args *args)
{
	uint32_t why = weir_observe_why(pass);

	if (why) {
		weir_observe_hide(pass->thread, pass->depth, why);
		weir_observe_done(pass->thread);
		return;
	}
	put_record(pass, args, &pass->thread->detail);
	weir_observe_done(pass->thread);
}

void weir_observe_derive(struct weir_pass *child, const struct weir_args *args)
{
	if (child->why & WEIR_FILTER_WHY)
		return; /* it was no call */
	/* It has no frame of its own, so no site either. */
	if (child->why & (WEIR_MANNER_RING | WEIR_MANNER_PROFILE)) {
		struct weir_brief brief = weir_observe_brief(child, args);

		if (keep_otherwise(&brief, &child->thread->derived))
			return;
		child->start = brief.start;
		child->end = brief.end;
	}
	put_record(child, args,
		   child->has_detail ? &child->thread->derived : NULL);
}
