/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers what an I/O service on the node could save. */
#include "analyse/findings/arith.h"
#include "analyse/findings/infer.h"

#include "spec/findings.h"

static int is_system(const struct weir_flow *flow)
{
	return flow->layer == WEIR_CALLVIEW_POSIX ||
	       flow->class == WEIR_CLASS_FILL ||
	       flow->class == WEIR_CLASS_DRAIN;
}

static int reads(const struct weir_flow *flow)
{
	return is_system(flow) && (flow->class == WEIR_CLASS_READ ||
				   flow->class == WEIR_CLASS_FILL);
}

static int writes(const struct weir_flow *flow)
{
	return is_system(flow) && (flow->class == WEIR_CLASS_WRITE ||
				   flow->class == WEIR_CLASS_DRAIN);
}

/* Reads that a buffer of the process would have joined. */
static void join_reads(const struct weir_flow *flow, struct weir_clue *clue)
{
	clue->count = flow->joined;
	clue->bytes = flow->joined_bytes;
	clue->time = flow->joined_time;
}

/* Writes that the service would store with others; each is told of once. */
static void join_writes(const struct weir_flow *flow,
			struct weir_use_file *file, struct weir_clue *clue)
{
	clue->count = file->spared < flow->calls ? file->spared : flow->calls;
	file->spared -= clue->count;
	clue->bytes = weir_arith_part(flow->bytes, clue->count, flow->calls);
	clue->time = weir_arith_part(flow->time, clue->count, flow->calls);
}

/* Requests of all layers above, as they reach the system. */
int weir_infer_whatif_gathered(const struct weir_flow *flow,
			       struct weir_use_file *file,
			       const struct weir_rates *rates,
			       struct weir_clues *clues)
{
	struct weir_clue clue = {
		.rule = WEIR_RULE_GATHERED_REQUESTS, .file = flow->file,
		.proc = flow->proc, .of = flow->calls,
		.witness = flow->slowest_small,
	};

	if (reads(flow))
		join_reads(flow, &clue);
	else if (writes(flow) && file)
		join_writes(flow, file, &clue);
	else
		return 0;
	clue.saving = weir_arith_less(
		clue.time, weir_infer_cost(rates, flow->layer, flow->class,
					   clue.bytes));
	return weir_clues_add(clues, &clue);
}

/* Who makes a file only to remove it need not have made it. */
int weir_infer_whatif_deferred(const struct weir_use *use,
			       struct weir_clues *clues)
{
	struct weir_clue clue = {
		.rule = WEIR_RULE_DEFERRED_CREATION, .file = use->file,
		.proc = use->proc, .count = 1, .of = 1,
		.bytes = use->removed ? use->written : 0,
		.time = use->time, .witness = use->slowest_open,
	};

	clue.saving = use->removed ? use->time : use->open_time;
	return use->created ? weir_clues_add(clues, &clue) : 0;
}

/* What the processes of one node read, and need not have asked for. */
struct cached {
	uint64_t read, needed, saved;
};

static int look_at_node(const struct weir_flow *const *flows, size_t count,
			uint32_t node, struct cached *ret_cached)
{
	struct weir_extents read = { 0 }, written = { 0 };
	int err = 0;

	*ret_cached = (struct cached){ 0 };
	for (size_t i = 0; !err && i < count; i++) {
		if (flows[i]->node != node)
			continue;
		if (writes(flows[i]))
			err = weir_extents_merge(&written, &flows[i]->touched);
		if (!reads(flows[i]))
			continue;
		ret_cached->read += flows[i]->bytes;
		err = weir_extents_merge(&read, &flows[i]->touched);
	}
	ret_cached->needed =
		weir_arith_less(weir_extents_bytes(&read),
				weir_extents_common(&read, &written));
	ret_cached->saved =
		weir_arith_less(ret_cached->read, ret_cached->needed);
	weir_extents_fini(&read);
	weir_extents_fini(&written);
	return err;
}

static int tell_reader(const struct weir_flow *flow, const struct cached *node,
		       struct weir_clues *clues)
{
	struct weir_clue clue = {
		.rule = WEIR_RULE_NODE_CACHE, .file = flow->file,
		.proc = flow->proc, .of = flow->calls, .time = flow->time,
		.witness = flow->slowest,
	};

	clue.bytes = weir_arith_part(flow->bytes, node->saved, node->read);
	clue.count = weir_arith_part(flow->calls, node->saved, node->read);
	clue.saving = weir_arith_part(flow->time, node->saved, node->read);
	return weir_clues_add(clues, &clue);
}

/* Nodes have been looked at when they are before the first of these flows. */
static int is_first_of_node(const struct weir_flow *const *flows, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (flows[i]->node == flows[at]->node)
			return 0;
	return 1;
}

int weir_infer_whatif_cached(const struct weir_flow *const *flows,
			     size_t count, struct weir_clues *clues)
{
	struct cached node;
	int err = 0;

	for (size_t i = 0; !err && i < count; i++) {
		if (!is_first_of_node(flows, i))
			continue;
		err = look_at_node(flows, count, flows[i]->node, &node);
		for (size_t k = i; !err && node.saved && k < count; k++)
			if (flows[k]->node == flows[i]->node &&
			    reads(flows[k]))
				err = tell_reader(flows[k], &node, clues);
	}
	return err;
}
