/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws clues for findings from what is known of files. */
#ifndef WEIR_FINDINGS_INFER_H
#define WEIR_FINDINGS_INFER_H

#include "analyse/facts/shard.h"

#include <stddef.h>
#include <stdint.h>

/* Fewer bytes are not worth a word when read or written again. */
#define WEIR_INFER_AGAIN (UINT64_C(1) << 20)

/* Adds to the shard's clues. 0 or -ENOMEM. */
int weir_infer(struct weir_shard *shard, const struct weir_rates *rates);

/* Its parts: of one flow, of one process on a file, of all on one file. */
int weir_infer_flow(const struct weir_flow *flow, const struct weir_use *use,
		    const struct weir_rates *rates, struct weir_clues *clues);
int weir_infer_use(const struct weir_use *use, struct weir_use_file *file,
		   const struct weir_rates *rates, struct weir_clues *clues);
int weir_infer_file(const struct weir_flow *const *flows, size_t count,
		    const struct weir_rates *rates, struct weir_clues *clues);

/* Of collective calls on a file; flows have their node. */
int weir_infer_collective_lone(const struct weir_flow *const *flows,
			       size_t count, struct weir_clues *clues);
int weir_infer_collective_cut(const struct weir_flow *const *flows,
			      size_t count, const struct weir_rates *rates,
			      struct weir_clues *clues);

/* Of all that several processes write. */
int weir_infer_shared(struct weir_shard *shard,
		      const struct weir_rates *rates);

/* Of a file and the objects in it: those of the same whole as the first. */
int weir_infer_file_amplified(const struct weir_flow *const *flows,
			      size_t count, struct weir_clues *clues);

/*
 * What a service on the node could save; flows of one file, with their node.
 * What is told of requests that are spared is taken from `file`.
 */
int weir_infer_whatif_gathered(const struct weir_flow *flow,
			       struct weir_use_file *file,
			       const struct weir_rates *rates,
			       struct weir_clues *clues);
int weir_infer_whatif_deferred(const struct weir_use *use,
			       struct weir_clues *clues);
int weir_infer_whatif_cached(const struct weir_flow *const *flows,
			     size_t count, struct weir_clues *clues);

/* Of sums of a process on a file, where there are no calls. */
int weir_infer_sums(const struct weir_row *row, uint32_t file, uint32_t proc,
		    const struct weir_callviews *views,
		    struct weir_clues *clues);

struct weir_runfacts;
struct weir_writers;

/* Of all processes together; adds to the clues of the facts. */
int weir_infer_run(struct weir_runfacts *facts,
		   const struct weir_reader *reader);

/* Of what all write, and where: also makes the forecast of the facts. */
int weir_infer_forward(struct weir_runfacts *facts,
		       struct weir_writers *writers,
		       const struct weir_reader *reader);

/*
 * What so many pieces take at least when ranks hand them to each other, as
 * collective calls do, in ns: describing, sending and sorting them. A page in
 * the cache of the system is written faster.
 */
#define WEIR_INFER_EXCHANGE UINT64_C(20000)

/* What moving so many bytes in large pieces would take, in ns. */
uint64_t weir_infer_cost(const struct weir_rates *rates, uint8_t layer,
			 uint8_t class, uint64_t bytes);

#endif
