/* SPDX-License-Identifier: BSD-3-Clause */
/* How much is to come of what is done for calls of other processes. */
#include "analyse/causes/causes.h"

#include "analyse/calls/links.h"

#include <errno.h>

/* In the map of calls: the call itself is there; above it a count. */
#define KNOWN 1
#define ONE   2

void weir_causes_fini(struct weir_causes *all)
{
	weir_map_fini(&all->calls);
	weir_map_fini(&all->batches);
}

static int change(struct weir_causes *all, struct weir_map *map, uint64_t key,
		  uint64_t set, uint64_t add)
{
	uint64_t before = weir_map_get(map, key);

	if (!before && map->used >= WEIR_CAUSES_MOST) {
		all->left_out++;
		return 0;
	}
	return weir_map_put(map, key, (before | set) + add);
}

int weir_causes_count(struct weir_causes *all, const struct weir_event *event,
		      const struct weir_call *call)
{
	uint64_t cid = weir_links_cid(event, call);
	uint64_t cause = weir_links_cause(event, call);
	uint64_t batch = weir_links_batch(event, call);
	int err = 0;

	if (cid)
		err = change(all, &all->calls, cid, KNOWN, 0);
	if (!err && cause)
		err = change(all, &all->calls, cause, 0, ONE);
	if (!err && batch && weir_links_does_batch(call))
		err = change(all, &all->batches, batch, 0, 1);
	all->caused += cause != 0;
	all->nobodys += !cause && weir_links_is_nobodys(event, call);
	return err;
}

uint64_t weir_causes_of_call(const struct weir_causes *all, uint64_t cid)
{
	return weir_map_get(&all->calls, cid) / ONE;
}

bool weir_causes_knows(const struct weir_causes *all, uint64_t cid)
{
	return weir_map_get(&all->calls, cid) & KNOWN;
}

uint64_t weir_causes_of_batch(const struct weir_causes *all, uint64_t batch)
{
	return weir_map_get(&all->batches, batch);
}
