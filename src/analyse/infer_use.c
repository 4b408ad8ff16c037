/* SPDX-License-Identifier: BSD-3-Clause */
/* Clues from what one process does with one file besides moving bytes. */
#include "analyse/infer.h"

#include "spec/findings.h"

#include <stddef.h>

/* Out of how many a rule's calls were counted. */
static int add_base(const struct weir_use *use, uint32_t rule, uint64_t of,
		    struct weir_clues *clues)
{
	const struct weir_clue clue = {
		.rule = rule, .file = use->file, .proc = use->proc, .of = of,
	};

	return of ? weir_clues_add(clues, &clue) : 0;
}

static int infer_opens(const struct weir_use *use, struct weir_clues *clues)
{
	uint64_t time = use->open_time + use->close_time;
	const struct weir_clue again = {
		.rule = WEIR_RULE_REPEATED_OPENS, .file = use->file,
		.proc = use->proc, .count = use->opens - 1, .of = use->opens,
		.time = time, .saving = time - time / use->opens,
		.witness = use->slowest_open,
	};
	const struct weir_clue small = {
		.rule = WEIR_RULE_MANY_SMALL_FILES, .file = use->file,
		.proc = use->proc, .of = 1, .time = time, .saving = time,
		.count = use->read + use->written < WEIR_FLOW_SMALL,
		.bytes = use->read + use->written,
		.witness = use->slowest_open,
	};
	int err = weir_clues_add(clues, &again);

	return err ? err : weir_clues_add(clues, &small);
}

static int infer_temporary(const struct weir_use *use,
			   struct weir_clues *clues)
{
	const struct weir_clue clue = {
		.rule = WEIR_RULE_TEMPORARY_FILES, .file = use->file,
		.proc = use->proc, .count = 1, .of = 1,
		.bytes = use->read + use->written, .time = use->time,
		.saving = use->time, .witness = use->slowest_open,
	};

	return use->created && use->removed ? weir_clues_add(clues, &clue) : 0;
}

/* Without waiting the bytes would still have to be moved. */
static int discount_synchronous(const struct weir_use *use,
				const struct weir_rates *rates,
				struct weir_clues *clues)
{
	struct weir_clue *clue;
	uint64_t moving;

	if (!use->synchronous || !use->writes)
		return 0;
	clue = weir_clues_get(clues, WEIR_RULE_SYNCHRONOUS_WRITES, use->file,
			      use->proc);
	if (!clue)
		return 0;
	moving = weir_infer_cost(rates, WEIR_SIGHT_APPLICATION,
				 WEIR_CLASS_WRITE, clue->bytes);
	clue->saving = weir_infer_less(clue->time, moving);
	return 0;
}

int weir_infer_use(const struct weir_use *use, const struct weir_rates *rates,
		   struct weir_clues *clues)
{
	const struct {
		uint32_t rule;
		uint64_t of;
	} bases[] = {
		{ WEIR_RULE_IDLE_SEEKS, use->seeks },
		{ WEIR_RULE_SEEK_PAIRS, use->seeks },
		{ WEIR_RULE_REPEATED_STATS, use->looks },
		{ WEIR_RULE_MISSING_FILES, use->opens + use->looks },
		{ WEIR_RULE_FREQUENT_SYNCS, use->syncs },
		{ WEIR_RULE_SYNCHRONOUS_WRITES, use->writes },
		{ WEIR_RULE_READ_MODIFY_WRITE, use->writes },
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(bases) / sizeof(*bases); i++)
		err = add_base(use, bases[i].rule, bases[i].of, clues);
	if (!err && use->opens)
		err = infer_opens(use, clues);
	err = err ? err : infer_temporary(use, clues);
	return err ? err : discount_synchronous(use, rates, clues);
}
