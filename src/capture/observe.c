/* SPDX-License-Identifier: BSD-3-Clause */
/* The longer records: calls with a detail. */
#include "capture/observe.h"

#include <string.h>

bool weir_observe_counter;

void weir_observe_record_long(struct weir_pass *pass,
			      const struct weir_args *args)
{
	struct weir_thread *t = pass->thread;
	struct weir_jot *d = &t->detail;
	uint32_t words = (d->used + 7) / 8;
	uint64_t *p = weir_thread_room(t, WEIR_OBSERVE_WORDS + 1 + words);
	uint64_t *at;
	uint64_t form;

	if (!p) {
		weir_thread_drop(t, pass->depth, pass->end);
		weir_observe_done(t);
		return;
	}
	if (d->cut)
		pass->flags |= WEIR_EVENT_CUT;
	at = weir_observe_words(t, pass, args, p + 1, &form);
	at = weir_observe_times(t, pass, at, &form);
	*at++ = d->used;
	if (words)
		at[words - 1] = 0;
	memcpy(at, d->bytes, d->used);
	at += words;
	*p = form | WEIR_RECORD_DETAIL;
	t->cursor = at;
	t->records++;
	weir_thread_commit(t, weir_thread_word(t, at, pass->depth));
	weir_observe_done(t);
}
