/* SPDX-License-Identifier: BSD-3-Clause */
/* What speaks for a finding: counted by file and process. */
#include "analyse/clues.h"

#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>

void weir_clues_fini(struct weir_clues *clues)
{
	free(clues->list);
	weir_map_fini(&clues->index);
	*clues = (struct weir_clues){ 0 };
}

static int make_room(struct weir_clues *clues)
{
	size_t room = clues->room ? clues->room * 2 : 16;
	struct weir_clue *list;

	if (clues->count < clues->room)
		return 0;
	list = realloc(clues->list, room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	clues->list = list;
	clues->room = room;
	return 0;
}

struct weir_clue *weir_clues_get(struct weir_clues *clues, uint32_t rule,
				 uint32_t file, uint32_t proc)
{
	uint32_t what[] = { rule, file, proc };
	uint64_t key = weir_hash_bytes(what, sizeof(what));
	uint64_t at = weir_map_get(&clues->index, key);

	if (at)
		return &clues->list[at - 1];
	if (make_room(clues) ||
	    weir_map_put(&clues->index, key, clues->count + 1))
		return NULL;
	clues->list[clues->count] = (struct weir_clue){
		.rule = rule, .file = file, .proc = proc,
	};
	return &clues->list[clues->count++];
}

int weir_clues_add(struct weir_clues *clues, const struct weir_clue *clue)
{
	/* What only says among how many nothing was found is one for all. */
	int found = clue->count || clue->saving;
	struct weir_clue *to =
		weir_clues_get(clues, clue->rule, found ? clue->file : 0,
			       found ? clue->proc : 0);

	if (!to)
		return -ENOMEM;
	to->count += clue->count;
	to->of += clue->of;
	to->bytes += clue->bytes;
	to->time += clue->time;
	to->saving += clue->saving;
	if (found)
		weir_witness_take(&to->witness, clue->witness);
	return 0;
}

int weir_clues_merge(struct weir_clues *to, const struct weir_clues *from)
{
	int err = 0;

	for (size_t i = 0; !err && i < from->count; i++)
		err = weir_clues_add(to, &from->list[i]);
	return err;
}
