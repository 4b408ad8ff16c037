/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws clues for findings from what is known of files. */
#include "analyse/findings/infer.h"

#include <errno.h>
#include <stdlib.h>

/* What a copy in memory takes where nothing was measured: 4 bytes a ns. */
#define COPY_RATE 4

/* So many bytes must have gone in large pieces to tell what they take. */
#define RATE_BYTES (UINT64_C(4) << 20)

uint64_t weir_infer_cost(const struct weir_rates *rates, uint8_t layer,
			 uint8_t class, uint64_t bytes)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t moved = rates->bytes[layer][class];

	if (moved < RATE_BYTES)
		return bytes / COPY_RATE;
	return (uint64_t)((wide)bytes * rates->time[layer][class] / moved);
}

static int by_file(const void *left, const void *right)
{
	const struct weir_flow *a = *(const struct weir_flow *const *)left;
	const struct weir_flow *b = *(const struct weir_flow *const *)right;

	if (a->whole != b->whole)
		return a->whole < b->whole ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->proc < b->proc ? -1 : a->proc > b->proc;
}

static uint32_t node_of(const struct weir_shard *shard, uint32_t proc)
{
	const struct weir_procinfo *process =
		shard->reader ? weir_reader_process(shard->reader, proc) : NULL;

	return process ? process->node : 0;
}

/* What several processes do with a file lies together then. */
static int infer_files(struct weir_shard *shard,
		       const struct weir_rates *rates)
{
	size_t count = shard->flows.count, next;
	const struct weir_flow **flows = calloc(count + 1, sizeof(*flows));
	int err = 0;

	if (!flows)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		shard->flows.list[i].node =
			node_of(shard, shard->flows.list[i].proc);
		flows[i] = &shard->flows.list[i];
	}
	qsort(flows, count, sizeof(*flows), by_file);
	for (size_t i = 0; !err && i < count; i = next) {
		for (next = i + 1; next < count; next++)
			if (flows[next]->file != flows[i]->file)
				break;
		err = weir_infer_file(flows + i, next - i, rates,
				      &shard->clues);
		if (!err && (!i || flows[i]->whole != flows[i - 1]->whole))
			err = weir_infer_file_amplified(flows + i, count - i,
							&shard->clues);
		err = err ? err : weir_infer_collective_lone(
					  flows + i, next - i, &shard->clues);
		err = err ? err : weir_infer_collective_cut(
					  flows + i, next - i, rates,
					  &shard->clues);
		err = err ? err : weir_infer_whatif_cached(
					  flows + i, next - i, &shard->clues);
	}
	free(flows);
	return err;
}

int weir_infer(struct weir_shard *shard, const struct weir_rates *rates)
{
	const struct weir_uses *uses = &shard->uses;
	int err = weir_uses_end(&shard->uses, &shard->clues);

	err = err ? err : weir_flows_end(&shard->flows);
	for (size_t i = 0; !err && i < shard->flows.count; i++) {
		const struct weir_flow *flow = &shard->flows.list[i];

		err = weir_infer_flow(flow, weir_uses_get(uses, flow->pair),
				      rates, &shard->clues) ?:
		      weir_infer_whatif_gathered(
			      flow, weir_uses_file(uses, flow->file), rates,
			      &shard->clues);
	}
	for (size_t i = 0; !err && i < uses->count; i++)
		err = weir_infer_use(&uses->list[i],
				     weir_uses_file(uses, uses->list[i].file),
				     rates, &shard->clues)
			      ?: weir_infer_whatif_deferred(&uses->list[i],
							    &shard->clues);
	err = err ? err : weir_infer_shared(shard, rates);
	err = err ? err : infer_files(shard, rates);
	return err ? err : weir_clues_settle(&shard->clues);
}
