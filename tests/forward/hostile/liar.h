/* SPDX-License-Identifier: BSD-3-Clause */
/* What a liar knows, and the lies there are. */
#ifndef LIAR_H
#define LIAR_H

#include "talk.h"

struct liar {
	const char *place;  /* the runtime directory of the service */
	const char *folder; /* where it may make files */
	const char *victim; /* a file that another program writes */
};

typedef void (*lie)(struct liar *liar);

/* By sockets. */
void lie_noise(struct liar *liar);
void lie_heads(struct liar *liar);
void lie_halves(struct liar *liar);
void lie_silence(struct liar *liar);
void lie_crowd(struct liar *liar);
void lie_texts(struct liar *liar);

/* With descriptors. */
void lie_no_file(struct liar *liar);
void lie_no_regular_file(struct liar *liar);
void lie_rights(struct liar *liar);
void lie_tokens(struct liar *liar);
void lie_many_descriptors(struct liar *liar);
void lie_many_opens(struct liar *liar);
void lie_many_sessions(struct liar *liar);
void lie_too_many_sessions(struct liar *liar);
void lie_complaints(struct liar *liar);
void lie_closes(struct liar *liar);

/* In slots. */
void lie_odd_calls(struct liar *liar);
void lie_all_slots(struct liar *liar);
void lie_foreign(struct liar *liar);
void lie_appends(struct liar *liar);
void lie_changing_calls(struct liar *liar);

/* In the log. */
void lie_records(struct liar *liar);
void lie_used(struct liar *liar);
void lie_changing_records(struct liar *liar);
void lie_hoard(struct liar *liar);
void lie_keep(struct liar *liar);

/* Of what is to be prefetched. */
void lie_prefetch(struct liar *liar);

/* Of deferred files. */
void lie_deferred_parents(struct liar *liar);
void lie_deferred_tokens(struct liar *liar);
void lie_deferred_many(struct liar *liar);
void lie_deferred_memory(struct liar *liar);
void lie_deferred_changing(struct liar *liar);
void lie_deferred_others(struct liar *liar);
void lie_deferred_closes(struct liar *liar);

/* To the memory. */
void lie_seals(struct liar *liar);
void lie_board(struct liar *liar);
void lie_scribble(struct liar *liar);
void lie_stay(struct liar *liar);
void lie_holes(struct liar *liar);
void lie_sudden_end(struct liar *liar);

#endif
