/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws clues from what several processes, or layers, do with one file. */
#include "analyse/findings/arith.h"
#include "analyse/findings/infer.h"

#include "spec/findings.h"

#include <errno.h>

/* Fewer bytes are not worth a word when several read them. */
#define SHARED_BYTES (UINT64_C(1) << 20)
#define AMPLIFIED 4 /* times as much as was asked for */

static int is_system_read(const struct weir_flow *flow)
{
	return (flow->layer == WEIR_CALLVIEW_POSIX &&
		flow->class == WEIR_CLASS_READ) ||
	       flow->class == WEIR_CLASS_FILL;
}

/* Where the flows of the next process begin. */
static size_t end_of_process(const struct weir_flow *const *flows,
			     size_t count, size_t from)
{
	size_t next = from + 1;

	while (next < count && flows[next]->proc == flows[from]->proc)
		next++;
	return next;
}

/* What was read of the file, each byte counted once. */
static int join_reads(const struct weir_flow *const *flows, size_t count,
		      struct weir_extents *all)
{
	int err = 0;

	for (size_t i = 0; !err && i < count; i++)
		if (is_system_read(flows[i]))
			err = weir_extents_merge(all, &flows[i]->touched);
	return err;
}

static int read_once(const struct weir_flow *const *flows, size_t count,
		     uint64_t *ret_bytes)
{
	struct weir_extents once = { 0 };
	int err = join_reads(flows, count, &once);

	*ret_bytes = weir_extents_bytes(&once);
	weir_extents_fini(&once);
	return err;
}

/* The bytes that processes have read, each for itself and all together. */
static int read_by_several(const struct weir_flow *const *flows, size_t count,
			   uint64_t *ret_all, uint64_t *ret_once)
{
	size_t next;
	int err = read_once(flows, count, ret_once);

	*ret_all = 0;
	for (size_t i = 0; !err && i < count; i = next) {
		uint64_t own;

		next = end_of_process(flows, count, i);
		err = read_once(flows + i, next - i, &own);
		*ret_all += own;
	}
	return err;
}

static int infer_same_reads(const struct weir_flow *const *flows, size_t count,
			    struct weir_clues *clues)
{
	uint64_t all, once, twice;
	uint32_t last = 0;
	int err = read_by_several(flows, count, &all, &once);

	twice = weir_arith_less(all, once);
	if (err || twice < SHARED_BYTES || twice * 2 < all)
		return err;
	for (size_t i = 0; !err && i < count; i++) {
		struct weir_clue clue = {
			.rule = WEIR_RULE_SAME_READS, .file = flows[i]->file,
			.proc = flows[i]->proc, .time = flows[i]->time,
			.witness = flows[i]->slowest,
		};

		if (!is_system_read(flows[i]))
			continue;
		clue.count = clue.of = flows[i]->proc != last;
		last = flows[i]->proc;
		clue.bytes = weir_extents_bytes(&flows[i]->touched);
		clue.bytes = weir_arith_part(clue.bytes, twice, all);
		clue.saving = weir_arith_part(flows[i]->time, twice, all);
		err = weir_clues_add(clues, &clue);
	}
	return err;
}

/* Small calls of MPI-IO, of ranks that share the file but not the call. */
static int infer_independent(const struct weir_flow *const *flows,
			     size_t count, const struct weir_rates *rates,
			     struct weir_clues *clues)
{
	int shared = flows[0]->proc != flows[count - 1]->proc, err = 0;

	for (size_t i = 0; shared && !err && i < count; i++) {
		const struct weir_flow *flow = flows[i];
		struct weir_clue clue = {
			.rule = WEIR_RULE_INDEPENDENT_PIECES,
			.file = flow->file, .proc = flow->proc,
			.of = flow->calls,
		};
		uint64_t moving = weir_infer_cost(rates, flow->layer,
						  flow->class,
						  flow->small_bytes);

		if (flow->layer != WEIR_CALLVIEW_MPIIO)
			continue;
		if (!flow->collective) {
			clue.count = flow->small;
			clue.bytes = flow->small_bytes;
			clue.time = flow->small_time;
			clue.saving = weir_arith_less(
				flow->small_time,
				moving + flow->small * WEIR_INFER_EXCHANGE);
			clue.witness = flow->slowest_small;
		}
		err = weir_clues_add(clues, &clue);
	}
	return err;
}

/* Reads that HDF5 made by itself, and what they brought in. */
static int is_for_hdf5(const struct weir_flow *flow)
{
	return flow->top == WEIR_CALLVIEW_HDF5 && is_system_read(flow);
}

static int is_hdf5_read(const struct weir_flow *flow)
{
	return flow->layer == WEIR_CALLVIEW_HDF5 &&
	       flow->class == WEIR_CLASS_READ;
}

/* What HDF5 read of a file, and what the program asked for. */
struct amplified {
	uint64_t asked, bytes;
	uint64_t once; /* each byte counted once */
};

static int look_at_hdf5(const struct weir_flow *const *flows, size_t count,
			struct amplified *ret_amplified)
{
	struct amplified *a = ret_amplified;

	*a = (struct amplified){ 0 };
	for (size_t i = 0; i < count; i++) {
		if (is_hdf5_read(flows[i]))
			a->asked += flows[i]->bytes;
		if (is_for_hdf5(flows[i]))
			a->bytes += flows[i]->bytes;
	}
	return read_once(flows, count, &a->once);
}

/*
 * A chunk that is read again is unpacked again: then the time of HDF5 goes
 * with it. Else bytes were read that nobody asked for.
 */
static struct weir_clue amplified_clue(const struct weir_flow *flow,
				       const struct amplified *a)
{
	int is_again = a->bytes / 2 >= a->once;
	uint64_t part = weir_arith_less(a->bytes,
					is_again ? a->once : a->asked);
	struct weir_clue clue = {
		.rule = WEIR_RULE_CHUNKS_AGAIN, .file = flow->whole,
		.proc = flow->proc, .witness = flow->slowest,
		/* in memory chunks are as large as what is asked for */
		.need = 2 * (a->once > a->asked ? a->once : a->asked),
	};

	if (is_for_hdf5(flow)) {
		clue.of = flow->calls;
		clue.count = weir_arith_part(flow->calls, part, a->bytes);
		clue.bytes = weir_arith_part(flow->bytes, part, a->bytes);
	}
	if (is_for_hdf5(flow) != is_again) {
		clue.time = flow->time;
		clue.saving = weir_arith_part(flow->time, part, a->bytes);
	}
	return clue;
}

/* One process may read for others: what all asked is held against all. */
int weir_infer_file_amplified(const struct weir_flow *const *flows,
			      size_t count, struct weir_clues *clues)
{
	struct amplified a;
	int err;

	for (size_t i = 0; i < count; i++)
		if (flows[i]->whole != flows[0]->whole)
			count = i;
	err = look_at_hdf5(flows, count, &a);
	if (!a.asked || a.bytes < SHARED_BYTES || a.bytes < a.asked * AMPLIFIED)
		return err;
	for (size_t i = 0; !err && i < count; i++) {
		const struct weir_clue clue = amplified_clue(flows[i], &a);

		if (is_for_hdf5(flows[i]) || is_hdf5_read(flows[i]))
			err = weir_clues_add(clues, &clue);
	}
	return err;
}

/* Streams fill their buffers for the program, which asks by itself too. */
static int is_own_read(const struct weir_flow *flow)
{
	return is_system_read(flow) && flow->top <= WEIR_CALLVIEW_STDIO;
}

static int add_repeated(const struct weir_flow *flow, uint64_t again,
			uint64_t bytes, struct weir_clues *clues)
{
	const struct weir_clue clue = {
		.rule = WEIR_RULE_REPEATED_READS, .file = flow->file,
		.proc = flow->proc, .of = flow->calls,
		.witness = flow->slowest,
		.bytes = weir_arith_part(flow->bytes, again, bytes),
		.count = weir_arith_part(flow->calls, again, bytes),
		.time = weir_arith_part(flow->time, again, bytes),
		.saving = weir_arith_part(flow->time, again, bytes),
	};

	return weir_clues_add(clues, &clue);
}

/*
 * Bytes that one process read and had read before. Each that was written in
 * between, by whom ever, has to be read once more.
 */
static int infer_reread(const struct weir_flow *const *flows, size_t count,
			uint64_t written, struct weir_clues *clues)
{
	uint64_t bytes = 0, once, again;
	int err = read_once(flows, count, &once);

	for (size_t i = 0; i < count; i++)
		if (is_own_read(flows[i]))
			bytes += flows[i]->bytes;
	again = weir_arith_less(bytes, once + written);
	if (again < WEIR_INFER_AGAIN)
		again = 0;
	for (size_t i = 0; !err && i < count; i++)
		if (is_own_read(flows[i]))
			err = add_repeated(flows[i], again, bytes, clues);
	return err;
}

static int infer_each_process(const struct weir_flow *const *flows,
			      size_t count, struct weir_clues *clues)
{
	uint64_t written = 0;
	size_t next;
	int err = 0;

	for (size_t i = 0; i < count; i++)
		if (flows[i]->layer <= WEIR_CALLVIEW_STDIO &&
		    (flows[i]->class == WEIR_CLASS_WRITE ||
		     flows[i]->class == WEIR_CLASS_DRAIN))
			written += flows[i]->bytes;
	for (size_t i = 0; !err && i < count; i = next) {
		next = end_of_process(flows, count, i);
		err = infer_reread(flows + i, next - i, written, clues);
	}
	return err;
}

int weir_infer_file(const struct weir_flow *const *flows, size_t count,
		    const struct weir_rates *rates, struct weir_clues *clues)
{
	int err = infer_each_process(flows, count, clues);

	err = err ? err : infer_independent(flows, count, rates, clues);
	if (err || flows[0]->proc == flows[count - 1]->proc)
		return err;
	return infer_same_reads(flows, count, clues);
}
