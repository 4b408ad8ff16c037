/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the record of a call, and those of what it did beside itself. */
#include "capture/record/record.h"

#include "capture/memory/pool.h"
#include "capture/memory/ring.h"
#include "capture/memory/tick.h"
#include "capture/record/callsums.h"
#include "capture/record/chunk.h"

#include <string.h>

/*
 * Write a record and leave pass->depth frames open; `detail` may be NULL. What
 * finds no room is counted.
 */
static void put_record(struct weir_pass *pass, const struct weir_args *args,
		       const struct weir_encoded *detail)
{
	struct weir_thread *t = pass->thread;
	uint32_t words = detail ? 1 + (detail->used + 7) / 8 : 0;
	uint64_t *p = weir_chunk_room(t, WEIR_CHUNK_WORDS + words);
	uint64_t *at;
	uint64_t form;

	if (!p) {
		weir_chunk_drop(t, pass->depth, pass->end);
		return;
	}
	if (detail && detail->cut)
		pass->flags |= WEIR_EVENT_CUT;
	at = weir_record_words(t, pass, args, p + 1, &form);
	at = weir_record_times(t, pass, at, &form);
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

void weir_record_hide(struct weir_thread *t, uint32_t depth, uint32_t why)
{
	atomic_fetch_add_explicit(&weir_pool_live()->hidden[why], 1,
				  memory_order_relaxed);
	weir_thread_close_frames(t, depth);
}

bool weir_record_keep_otherwise(struct weir_brief *brief,
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
		brief->start = brief->end = weir_tick_now();
	return false;
}

void weir_record_long(struct weir_pass *pass, const struct weir_args *args)
{
	uint32_t why = weir_pass_why(pass);

	if (why) {
		weir_record_hide(pass->thread, pass->depth, why);
		weir_thread_done(pass->thread);
		return;
	}
	put_record(pass, args, &pass->thread->detail);
	weir_thread_done(pass->thread);
}

void weir_record_derive(struct weir_pass *child, const struct weir_args *args)
{
	if (child->why & WEIR_FILTER_WHY)
		return; /* it was no call */
	/* It has no frame of its own, so no site either. */
	if (child->why & (WEIR_MANNER_RING | WEIR_MANNER_PROFILE)) {
		struct weir_brief brief = weir_pass_brief(child, args);

		if (weir_record_keep_otherwise(&brief, &child->thread->derived))
			return;
		child->start = brief.start;
		child->end = brief.end;
	}
	if (child->why & WEIR_MANNER_POINTERS && args->memory)
		weir_record_memory(&child->thread->derived, args->memory);
	put_record(child, args,
		   child->has_detail ? &child->thread->derived : NULL);
}
