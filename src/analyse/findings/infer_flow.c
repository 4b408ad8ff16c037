/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws clues from how one process reads or writes one file. */
#include "analyse/findings/arith.h"
#include "analyse/findings/infer.h"

#include "spec/findings.h"

#include <stddef.h>

static struct weir_clue clue_of(const struct weir_flow *flow, uint32_t rule)
{
	return (struct weir_clue){
		.rule = rule, .file = flow->file, .proc = flow->proc,
		.bytes = flow->small_bytes, .time = flow->small_time,
		.witness = flow->slowest_small,
	};
}

/*
 * What joining requests saves of their time: neither moving their bytes, nor
 * waits for the storage, which come with bytes as well.
 */
static uint64_t of_requests(const struct weir_flow *flow,
			    const struct weir_rates *rates, uint64_t time,
			    uint64_t bytes)
{
	uint64_t moving =
		weir_infer_cost(rates, flow->layer, flow->class, bytes);
	uint64_t waits = weir_flows_waits(
		&flow->pace, &rates->pace[flow->layer][flow->class]);

	return weir_arith_less(time, moving > waits ? moving : waits);
}

/* Calls that go on where the last one ended could be gathered. */
static struct weir_clue consecutive(const struct weir_flow *flow,
				    const struct weir_rates *rates,
				    uint32_t rule)
{
	struct weir_clue clue = clue_of(flow, rule);

	clue.of = flow->small;
	clue.count = flow->joined;
	clue.bytes = flow->joined_bytes;
	clue.time = flow->joined_time;
	clue.saving = of_requests(flow, rates, clue.time, clue.bytes);
	return clue;
}

static struct weir_clue strided(const struct weir_flow *flow,
				const struct weir_rates *rates, uint32_t rule)
{
	struct weir_clue clue = clue_of(flow, rule);

	clue.of = flow->small;
	clue.count = flow->strided;
	clue.time = flow->stride_time;
	clue.saving =
		weir_arith_less(flow->stride_time,
				weir_infer_cost(rates, flow->layer, flow->class,
						flow->stride_span));
	return clue;
}

static struct weir_clue scattered(const struct weir_flow *flow, uint32_t rule)
{
	struct weir_clue clue = clue_of(flow, rule);

	clue.of = flow->small;
	clue.count = flow->scattered;
	return clue;
}

/* The rules for a direction; what a program asks of the system by itself. */
static const struct {
	uint32_t small, strided, scattered;
} by_class[WEIR_CLASS_COUNT] = {
	[WEIR_CLASS_READ] = { WEIR_RULE_SMALL_READS, WEIR_RULE_STRIDED_READS,
			      WEIR_RULE_SCATTERED_READS },
	[WEIR_CLASS_WRITE] = { WEIR_RULE_SMALL_WRITES, WEIR_RULE_STRIDED_WRITES,
			       WEIR_RULE_SCATTERED_WRITES },
};

static int infer_own(const struct weir_flow *flow,
		     const struct weir_rates *rates, struct weir_clues *clues)
{
	const struct weir_clue found[] = {
		consecutive(flow, rates, by_class[flow->class].small),
		strided(flow, rates, by_class[flow->class].strided),
		scattered(flow, by_class[flow->class].scattered),
	};
	int err = 0;

	if (flow->small * 2 < flow->calls)
		return 0;
	for (size_t i = 0; !err && i < sizeof(found) / sizeof(*found); i++)
		err = weir_clues_add(clues, &found[i]);
	return err;
}

/*
 * What streams move by themselves: less than a page, or one. A larger buffer
 * helps where one goes on from the last; after a seek it would bring in more
 * than is wanted.
 */
static int infer_stream(const struct weir_flow *flow,
			const struct weir_use *use,
			const struct weir_rates *rates,
			struct weir_clues *clues)
{
	struct weir_clue flushed = clue_of(flow, WEIR_RULE_FLUSHED_STREAMS);
	struct weir_clue buffers = clue_of(flow, WEIR_RULE_STREAM_BUFFERS);
	uint64_t pages = flow->tiny_bytes / WEIR_FLOW_PAGE + 1;
	int err;

	flushed.of = flow->calls;
	flushed.count = weir_arith_less(flow->tiny, pages);
	flushed.bytes = flow->tiny_bytes;
	flushed.time = flow->tiny_time;
	flushed.saving =
		weir_arith_part(flow->tiny_time, flushed.count, flow->tiny);
	buffers.of = flow->calls;
	buffers.count = flow->paced;
	buffers.bytes = flow->paced_bytes;
	buffers.time = flow->paced_time;
	/* Standard streams have theirs before anybody can be asked. */
	buffers.is_programs = use && !use->streamed;
	buffers.saving = of_requests(flow, rates, buffers.time, buffers.bytes);
	err = flow->class == WEIR_CLASS_DRAIN ?
		      weir_clues_add(clues, &flushed) : 0;
	return err ? err : weir_clues_add(clues, &buffers);
}

/* So many to one dataset, and it is not the dataset that is small. */
#define MANY 16

/* With fewer transfers, fewer objects are opened and closed. */
static struct weir_clue tiny_objects(const struct weir_flow *flow)
{
	struct weir_clue clue = clue_of(flow, WEIR_RULE_TINY_DATASETS);

	clue.count = flow->small;
	clue.time += weir_arith_part(flow->around, flow->small, flow->calls);
	return clue;
}

/* Ranks that work together join what each of them has. */
static struct weir_clue small_selections(const struct weir_flow *flow)
{
	struct weir_clue clue = clue_of(flow, WEIR_RULE_SMALL_SELECTIONS);

	if (flow->collective)
		clue.time = clue.bytes = 0;
	else
		clue.count = flow->small;
	return clue;
}

static int infer_objects(const struct weir_flow *flow,
			 const struct weir_rates *rates,
			 struct weir_clues *clues)
{
	int is_many = flow->small >= MANY;
	struct weir_clue clue = is_many ? small_selections(flow) :
					  tiny_objects(flow);
	const struct weir_clue other = {
		.rule = is_many ? WEIR_RULE_TINY_DATASETS :
				  WEIR_RULE_SMALL_SELECTIONS,
		.file = flow->whole, .proc = flow->proc, .of = flow->calls,
	};
	int err;

	clue.file = flow->whole;
	clue.of = flow->calls;
	clue.saving = weir_arith_less(
		clue.time, weir_infer_cost(rates, flow->layer, flow->class,
					   flow->small_bytes));
	err = weir_clues_add(clues, &clue);
	return err ? err : weir_clues_add(clues, &other);
}

int weir_infer_flow(const struct weir_flow *flow, const struct weir_use *use,
		    const struct weir_rates *rates, struct weir_clues *clues)
{
	if (flow->class == WEIR_CLASS_FILL || flow->class == WEIR_CLASS_DRAIN)
		return infer_stream(flow, use, rates, clues);
	if (flow->class != WEIR_CLASS_READ && flow->class != WEIR_CLASS_WRITE)
		return 0;
	if (flow->layer == WEIR_CALLVIEW_POSIX &&
	    flow->top == WEIR_CALLVIEW_POSIX)
		return infer_own(flow, rates, clues);
	if (flow->layer == WEIR_CALLVIEW_HDF5)
		return infer_objects(flow, rates, clues);
	return 0;
}
