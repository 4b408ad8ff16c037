/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends calls that are counted, summed up or kept in another manner. */
#include "capture/call/observe.h"

#include "capture/record/callsite.h"

#define MORE (WEIR_MANNER_SITES | WEIR_MANNER_POINTERS)

static void tell_more(struct weir_brief *brief)
{
	if (brief->why & WEIR_MANNER_POINTERS && brief->memory) {
		if (!brief->has_detail)
			weir_encoded_begin(&brief->thread->detail);
		weir_record_memory(&brief->thread->detail, brief->memory);
		brief->has_detail = true;
	}
	if (brief->why & WEIR_MANNER_SITES)
		weir_callsite_add(brief);
}

bool weir_observe_aside(struct weir_brief *brief)
{
	struct weir_thread *t = brief->thread;
	uint32_t why = brief->why & WEIR_FILTER_WHY;

	if (!why && brief->has_detail)
		why = weir_pass_hides(&t->detail);
	if (why) {
		weir_record_hide(t, brief->depth, why);
	} else if (brief->why & MORE) {
		tell_more(brief);
		return false;
	} else {
		if (!weir_record_keep_otherwise(brief, &t->detail))
			return false;
		weir_thread_close_frames(t, brief->depth);
	}
	weir_thread_done(t);
	return true;
}
