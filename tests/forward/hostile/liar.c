/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * usage: liar PLACE FOLDER VICTIM LIE [SEED] | liar list
 *
 * Lies to the service at PLACE, where by chance as SEED says. Returns 0 if the
 * service has refused what it had to refuse, and serves on.
 */
#include "liar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	lie tell;
} lies[] = {
	{"noise", lie_noise},
	{"heads", lie_heads},
	{"halves", lie_halves},
	{"silence", lie_silence},
	{"crowd", lie_crowd},
	{"texts", lie_texts},
	{"no-file", lie_no_file},
	{"no-regular-file", lie_no_regular_file},
	{"rights", lie_rights},
	{"tokens", lie_tokens},
	{"many-descriptors", lie_many_descriptors},
	{"many-opens", lie_many_opens},
	{"many-sessions", lie_many_sessions},
	{"too-many-sessions", lie_too_many_sessions},
	{"complaints", lie_complaints},
	{"closes", lie_closes},
	{"odd-calls", lie_odd_calls},
	{"all-slots", lie_all_slots},
	{"foreign", lie_foreign},
	{"appends", lie_appends},
	{"changing-calls", lie_changing_calls},
	{"records", lie_records},
	{"used", lie_used},
	{"changing-records", lie_changing_records},
	{"hoard", lie_hoard},
	{"keep", lie_keep},
	{"prefetch", lie_prefetch},
	{"deferred-parents", lie_deferred_parents},
	{"deferred-tokens", lie_deferred_tokens},
	{"deferred-many", lie_deferred_many},
	{"deferred-memory", lie_deferred_memory},
	{"deferred-changing", lie_deferred_changing},
	{"deferred-others", lie_deferred_others},
	{"deferred-closes", lie_deferred_closes},
	{"seals", lie_seals},
	{"board", lie_board},
	{"scribble", lie_scribble},
	{"stay", lie_stay},
	{"holes", lie_holes},
	{"sudden-end", lie_sudden_end},
};
#define LIES (sizeof(lies) / sizeof(*lies))

static void serves_on(struct liar *liar)
{
	struct talk talk = { .place = liar->place };

	talk_attach(&talk);
	talk_still_answers(&talk);
	talk_leave(&talk);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < LIES; i++) {
		struct liar liar;

		if (argc == 2)
			puts(lies[i].name);
		if (argc < 5 || strcmp(argv[4], lies[i].name))
			continue;
		liar = (struct liar){ argv[1], argv[2], argv[3] };
		talk_seed(argc > 5 ? strtoull(argv[5], NULL, 10) : 0);
		lies[i].tell(&liar);
		serves_on(&liar);
		return 0;
	}
	return argc != 2;
}
