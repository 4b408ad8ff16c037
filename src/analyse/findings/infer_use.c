/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws clues from what a process does with a file besides moving bytes. */
#include "analyse/findings/arith.h"
#include "analyse/findings/infer.h"

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
		.proc = use->proc, .count = use->again, .of = use->opens,
		.time = time,
		.saving = weir_arith_part(time, use->again, use->opens),
		.witness = use->slowest_open,
	};

	return use->opens ? weir_clues_add(clues, &again) : 0;
}

/*
 * Many processes may open the same file, which is one file still. Directories,
 * and files that are mapped, have no bytes that we know of.
 */
static int infer_small(const struct weir_use *use, struct weir_use_file *file,
		       struct weir_clues *clues)
{
	uint64_t bytes = use->read + use->written + use->carried;
	uint64_t time = use->open_time + use->close_time;
	struct weir_clue clue = {
		.rule = WEIR_RULE_MANY_SMALL_FILES, .file = use->file,
		.proc = use->proc, .time = time, .saving = time,
		.bytes = bytes, .witness = use->slowest_open,
	};

	if (!use->opens || !(use->read || use->written || use->created))
		return 0;
	if (bytes >= WEIR_FLOW_SMALL)
		clue.time = clue.saving = clue.bytes = 0;
	clue.of = !file->told;
	clue.count = clue.of && bytes < WEIR_FLOW_SMALL;
	file->told = 1;
	return weir_clues_add(clues, &clue);
}

/* Made by one and removed by another, it is still one file. */
static int infer_temporary(const struct weir_use *use,
			   const struct weir_use_file *file,
			   struct weir_clues *clues)
{
	const struct weir_clue clue = {
		.rule = WEIR_RULE_TEMPORARY_FILES, .file = use->file,
		.proc = use->proc, .count = use->created, .of = use->created,
		.bytes = use->read + use->written + use->carried,
		.time = use->time,
		.saving = use->time, .witness = use->slowest_open,
	};

	if (!file->created || !file->removed || use->in_memory)
		return 0;
	return weir_clues_add(clues, &clue);
}

/* Each version of a file has to be written, and what is read was needed. */
static int infer_rewritten(const struct weir_use *use,
			   struct weir_clues *clues)
{
	const struct weir_use_writing *w = &use->writing;
	uint64_t again = weir_arith_less(w->bytes, w->once + use->read);
	struct weir_clue clue = {
		.rule = WEIR_RULE_REPEATED_WRITES, .file = use->file,
		.proc = use->proc, .of = w->calls, .witness = w->slowest,
	};

	if (again >= WEIR_INFER_AGAIN) {
		clue.bytes = again;
		clue.count = weir_arith_part(w->calls, again, w->bytes);
		clue.time = weir_arith_part(w->time, again, w->bytes);
		clue.saving = clue.time;
	}
	return w->calls ? weir_clues_add(clues, &clue) : 0;
}

/* Without waiting the bytes would still have to be moved. */
static int discount_synchronous(const struct weir_use *use,
				const struct weir_rates *rates,
				struct weir_clues *clues)
{
	struct weir_clue *clue;
	uint64_t moving;

	if (!use->was_synchronous || !use->writes)
		return 0;
	clue = weir_clues_get(clues, WEIR_RULE_SYNCHRONOUS_WRITES, use->file,
			      use->proc);
	if (!clue)
		return 0;
	moving = weir_infer_cost(rates, WEIR_CALLVIEW_APPLICATION,
				 WEIR_CLASS_WRITE, clue->bytes);
	clue->saving = weir_arith_less(clue->time, moving);
	return 0;
}

static int infer_bases(const struct weir_use *use, struct weir_clues *clues)
{
	const struct {
		uint32_t rule;
		uint64_t of;
	} bases[] = {
		{ WEIR_RULE_IDLE_SEEKS, use->seeks },
		{ WEIR_RULE_SEEK_PAIRS, use->seeks },
		{ WEIR_RULE_REPEATED_STATS, use->looks },
		{ WEIR_RULE_FREQUENT_SYNCS, use->syncs },
		{ WEIR_RULE_SYNCHRONOUS_WRITES,
		  use->was_synchronous ? use->writes : 0 },
		{ WEIR_RULE_READ_MODIFY_WRITE, use->writes },
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(bases) / sizeof(*bases); i++)
		err = add_base(use, bases[i].rule, bases[i].of, clues);
	return err;
}

int weir_infer_use(const struct weir_use *use, struct weir_use_file *file,
		   const struct weir_rates *rates, struct weir_clues *clues)
{
	int err = infer_bases(use, clues);

	err = err ? err : infer_opens(use, clues);
	err = err ? err : infer_small(use, file, clues);
	err = err ? err : infer_temporary(use, file, clues);
	err = err ? err : infer_rewritten(use, clues);
	return err ? err : discount_synchronous(use, rates, clues);
}
