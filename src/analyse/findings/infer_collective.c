/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws clues from who does the work of collective calls, and how. */
#include "analyse/findings/arith.h"
#include "analyse/findings/infer.h"

#include "spec/findings.h"

/* Fewer ranks or bytes are not worth sharing. */
#define RANKS 4
#define BYTES (UINT64_C(64) << 20)

/* Slower than that is storage, faster is the cache of the system. */
#define CACHED(bytes) ((bytes) * 2) /* ns that 0.5 GB a second take */

/* Who takes part in calls on a file, and who moves the bytes. */
struct crowd {
	uint64_t ranks;
	uint64_t bytes;
	struct weir_clue most; /* of the one process that moves most */
	uint64_t moving;       /* ns that it spends on that; the rest of */
			       /* its time in such calls goes to the ranks */
};

static int takes_part(const struct weir_flow *flow, enum weir_callclass class)
{
	return flow->layer == WEIR_CALLVIEW_MPIIO && flow->class == class &&
	       flow->collective;
}

static int moves(const struct weir_flow *flow, enum weir_callclass class)
{
	return flow->layer == WEIR_CALLVIEW_POSIX && flow->class == class &&
	       flow->collective;
}

/* Those of one process; it may do so for several libraries. */
static void add_process(struct crowd *crowd,
			const struct weir_flow *const *flows, size_t count,
			enum weir_callclass class)
{
	struct weir_clue own = {
		.rule = WEIR_RULE_LONE_AGGREGATORS, .file = flows[0]->file,
		.proc = flows[0]->proc, .count = 1, .of = 1,
	};
	uint64_t moving = 0;
	bool part = false;

	for (size_t i = 0; i < count; i++) {
		if (takes_part(flows[i], class)) {
			part = true;
			own.time += flows[i]->time;
		}
		if (!moves(flows[i], class))
			continue;
		own.bytes += flows[i]->bytes;
		moving += flows[i]->time;
		weir_witness_take(&own.witness, flows[i]->slowest);
	}
	if (own.time < moving)
		own.time = moving;
	crowd->bytes += own.bytes;
	crowd->ranks += part;
	if (own.bytes <= crowd->most.bytes)
		return;
	crowd->most = own;
	crowd->moving = moving;
}

/*
 * All of these ranks can share the moving, unless it is as fast as memory, and
 * what one does of handing pieces over: half of that, the other half is theirs.
 */
static uint64_t shared_by_all(const struct crowd *crowd)
{
	uint64_t time = (crowd->most.time - crowd->moving) / 2;

	if (crowd->moving > CACHED(crowd->most.bytes))
		time += crowd->moving;
	return time - time / crowd->ranks;
}

static int infer_way(const struct weir_flow *const *flows, size_t count,
		     enum weir_callclass class, struct weir_clues *clues)
{
	struct crowd crowd = { 0 };
	struct weir_clue *most = &crowd.most;
	size_t next;

	for (size_t i = 0; i < count; i = next) {
		for (next = i + 1; next < count; next++)
			if (flows[next]->proc != flows[i]->proc)
				break;
		add_process(&crowd, flows + i, next - i, class);
	}
	if (crowd.ranks < RANKS || crowd.bytes < BYTES ||
	    most->bytes / 9 < crowd.bytes / 10)
		return 0;
	most->saving = shared_by_all(&crowd);
	return weir_clues_add(clues, most);
}

int weir_infer_collective_lone(const struct weir_flow *const *flows,
			       size_t count, struct weir_clues *clues)
{
	int err = infer_way(flows, count, WEIR_CLASS_WRITE, clues);

	return err ? err : infer_way(flows, count, WEIR_CLASS_READ, clues);
}

/* Calls of MPI-IO by the process of a flow, which ranks make together. */
static uint64_t calls_above(const struct weir_flow *const *flows, size_t count,
			    const struct weir_flow *below)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < count; i++)
		if (flows[i]->proc == below->proc &&
		    takes_part(flows[i], WEIR_CLASS_WRITE))
			calls += flows[i]->calls;
	return calls;
}

/* A library that gathers makes few large writes of the pieces of all ranks. */
int weir_infer_collective_cut(const struct weir_flow *const *flows,
			      size_t count, const struct weir_rates *rates,
			      struct weir_clues *clues)
{
	int err = 0;

	for (size_t i = 0; !err && i < count; i++) {
		const struct weir_flow *flow = flows[i];
		struct weir_clue clue = {
			.rule = WEIR_RULE_CUT_COLLECTIVES, .file = flow->file,
			.proc = flow->proc, .of = flow->calls,
			.bytes = flow->small_bytes, .time = flow->small_time,
			.witness = flow->slowest_small,
		};

		if (!moves(flow, WEIR_CLASS_WRITE))
			continue;
		clue.count = weir_arith_less(flow->small,
					     calls_above(flows, count, flow));
		clue.saving = weir_arith_less(
			clue.time, weir_infer_cost(rates, flow->layer,
						   flow->class, clue.bytes) +
					   clue.count * WEIR_INFER_EXCHANGE);
		err = weir_clues_add(clues, &clue);
	}
	return err;
}
