/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what speaks for a finding, by file and process. */
#include "analyse/facts/clues.h"

#include "base/grow.h"
#include "base/hash.h"
#include "spec/findings.h"

#include <errno.h>
#include <stdlib.h>

void weir_clues_fini(struct weir_clues *clues)
{
	free(clues->list);
	free(clues->bases);
	weir_map_fini(&clues->index);
	weir_map_fini(&clues->files);
	*clues = (struct weir_clues){ 0 };
}

static uint64_t file_key(uint32_t rule, uint32_t file)
{
	return ((uint64_t)rule + 1) << 32 | file;
}

static int add_clue(struct weir_clues *clues, uint32_t rule, uint32_t file,
		    uint32_t proc)
{
	if (WEIR_GROW(clues->list, clues->count, clues->room))
		return -ENOMEM;
	clues->list[clues->count++] = (struct weir_clue){
		.rule = rule, .file = file, .proc = proc,
	};
	return weir_map_put(&clues->files, file_key(rule, file), 1);
}

struct weir_clue *weir_clues_get(struct weir_clues *clues, uint32_t rule,
				 uint32_t file, uint32_t proc)
{
	uint32_t what[] = { rule, file, proc };
	uint64_t key = weir_hash_bytes(what, sizeof(what));
	uint64_t at = weir_map_get(&clues->index, key);

	if (at)
		return &clues->list[at - 1];
	if (weir_map_put(&clues->index, key, clues->count + 1) ||
	    add_clue(clues, rule, file, proc))
		return NULL;
	return &clues->list[clues->count - 1];
}

static int add_base(struct weir_clues *clues, const struct weir_clue *clue)
{
	if (WEIR_GROW(clues->bases, clues->base_count, clues->base_room))
		return -ENOMEM;
	clues->bases[clues->base_count++] = (struct weir_clues_base){
		clue->rule, clue->file, clue->of,
	};
	return 0;
}

int weir_clues_add(struct weir_clues *clues, const struct weir_clue *clue)
{
	int found = clue->count || clue->saving;
	int by_file = weir_rules[clue->rule].per_file;
	struct weir_clue *to;

	/* Who only says among how many nothing was found is nobody. */
	if (!found && by_file && clue->proc)
		return add_base(clues, clue);
	to = weir_clues_get(clues, clue->rule,
			    found || by_file ? clue->file : 0,
			    found ? clue->proc : 0);
	if (!to)
		return -ENOMEM;
	to->count += clue->count;
	to->of += clue->of;
	to->bytes += clue->bytes;
	to->time += clue->time;
	to->saving += clue->saving;
	to->from_sums |= clue->from_sums;
	to->is_programs |= clue->is_programs;
	if (clue->need > to->need)
		to->need = clue->need;
	if (found && weir_witness_is_better(&to->witness, &clue->witness)) {
		to->witness = clue->witness;
		to->partner = clue->partner;
	}
	return 0;
}

int weir_clues_settle(struct weir_clues *clues)
{
	int err = 0;

	for (size_t i = 0; !err && i < clues->base_count; i++) {
		const struct weir_clues_base *base = &clues->bases[i];
		const struct weir_clue clue = {
			.rule = base->rule, .file = base->file, .of = base->of,
		};

		if (weir_map_get(&clues->files,
				 file_key(base->rule, base->file)))
			err = weir_clues_add(clues, &clue);
	}
	free(clues->bases);
	clues->bases = NULL;
	clues->base_count = clues->base_room = 0;
	return err;
}

void weir_clues_close(struct weir_clues *clues)
{
	weir_map_fini(&clues->index);
	weir_map_fini(&clues->files);
}

int weir_clues_merge(struct weir_clues *to, const struct weir_clues *from)
{
	int err = 0;

	for (size_t i = 0; !err && i < from->count; i++)
		err = weir_clues_add(to, &from->list[i]);
	return err;
}
