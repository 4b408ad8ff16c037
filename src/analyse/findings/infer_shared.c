/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws clues from where writes of several processes meet in a file. */
#include "analyse/findings/arith.h"
#include "analyse/findings/infer.h"

#include "spec/findings.h"

#include <errno.h>
#include <stdlib.h>

/* Fewer that wait for each other are hardly worth a word. */
#define RANKS 4

static struct weir_clue clue_of(const struct weir_sharing *sharing,
				const struct weir_sharing_party *party,
				enum weir_sharing_kind kind, uint32_t rule)
{
	struct weir_sharing_sum sum =
		weir_sharing_sum_of(sharing, party, kind);

	return (struct weir_clue){
		.rule = rule, .file = party->file, .proc = party->proc,
		.count = sum.calls, .of = party->looked[kind],
		.bytes = sum.bytes, .time = sum.time, .witness = sum.slowest,
	};
}

static int infer_places(const struct weir_sharing *sharing,
			const struct weir_sharing_party *party,
			const struct weir_rates *rates,
			struct weir_clues *clues)
{
	struct weir_clue mixed = clue_of(sharing, party, WEIR_SHARING_SMALL,
					 WEIR_RULE_INTERLEAVED_WRITES);
	struct weir_clue cut = clue_of(sharing, party, WEIR_SHARING_LARGE,
				       WEIR_RULE_MISALIGNED_WRITES);
	int err = 0;

	mixed.saving = weir_arith_less(
		mixed.time, weir_infer_cost(rates, WEIR_CALLVIEW_POSIX,
					    WEIR_CLASS_WRITE, mixed.bytes) +
				    mixed.count * WEIR_INFER_EXCHANGE);
	if (mixed.of)
		err = weir_clues_add(clues, &mixed);
	return err || !cut.of ? err : weir_clues_add(clues, &cut);
}

/* What the ranks do to a file in turns. */
struct turns {
	uint64_t ranks; /* that have had one */
	uint64_t time;	/* of all of them */
};

static int is_rank(const struct weir_shard *shard, uint32_t proc)
{
	const struct weir_procinfo *process =
		shard->reader ? weir_reader_process(shard->reader, proc) : NULL;

	return process && weir_procinfo_rank(process) >= 0;
}

/* Scripts that run one program after the other have no choice. */
static void add_turns(const struct weir_shard *shard, struct turns *turns)
{
	const struct weir_sharing *sharing = &shard->sharing;

	for (size_t i = 0; i < sharing->party_count; i++) {
		const struct weir_sharing_party *party = &sharing->parties[i];
		struct turns *to = &turns[party->at];

		if (!party->looked[WEIR_SHARING_TURN] ||
		    !is_rank(shard, party->proc))
			continue;
		to->ranks++;
		to->time += weir_sharing_sum_of(sharing, party,
						WEIR_SHARING_TURN).time;
	}
}

/* While one writes, the others wait. */
static int infer_turns(struct weir_shard *shard,
		       const struct weir_sharing_party *party,
		       const struct turns *turns)
{
	struct weir_clue clue = clue_of(&shard->sharing, party,
					WEIR_SHARING_TURN,
					WEIR_RULE_WRITES_IN_TURNS);

	if (!clue.of || turns->ranks < RANKS || !is_rank(shard, party->proc))
		return 0;
	clue.saving = clue.count ? turns->time - clue.time : 0;
	return weir_clues_add(&shard->clues, &clue);
}

int weir_infer_shared(struct weir_shard *shard, const struct weir_rates *rates)
{
	const struct weir_sharing *sharing = &shard->sharing;
	struct turns *turns = calloc(sharing->file_count + 1, sizeof(*turns));
	int err = turns ? weir_sharing_end(&shard->sharing) : -ENOMEM;

	if (!err)
		add_turns(shard, turns);
	for (size_t i = 0; !err && i < sharing->party_count; i++) {
		const struct weir_sharing_party *party = &sharing->parties[i];

		err = infer_places(sharing, party, rates, &shard->clues);
		err = err ? err : infer_turns(shard, party,
					      &turns[party->at]);
	}
	free(turns);
	return err;
}
