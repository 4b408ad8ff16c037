/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers who writes what and when, and to which kind of file system. */
#ifndef WEIR_FINDINGS_WRITERS_H
#define WEIR_FINDINGS_WRITERS_H

#include "analyse/facts/phases.h"
#include "analyse/facts/shard.h"
#include "analyse/findings/forecast.h"
#include "trace/event/names.h"

#include <stddef.h>
#include <stdint.h>

/* Where files lie, or why nobody can write to them later. */
enum weir_writers_place {
	WEIR_WRITERS_REMOTE,  /* a file system that others may have */
	WEIR_WRITERS_UNKNOWN,
	WEIR_WRITERS_LOCAL,
	WEIR_WRITERS_SYNCHRONOUS,
	WEIR_WRITERS_KERNELS,
	WEIR_WRITERS_PLACES,
};

/* One process and a file that it writes. */
struct weir_writer {
	uint32_t file, proc;
	uint8_t place;
	uint64_t writes, bytes;
	uint64_t time; /* of writes, and of closes and syncs after; ns */
	uint64_t opens;
	uint64_t saving; /* in the end */
	struct weir_witness slowest;
};

/* All that goes to one place. */
struct weir_writers_sum {
	uint64_t writes, bytes;
	/* that a service on each node would make, and one for all nodes: */
	uint64_t requests, joined;
	uint64_t large_bytes, large_time;
	uint64_t small;
	uint64_t small_time; /* with closes, where there are small ones */
};

/* Zero it to begin. */
struct weir_writers {
	struct weir_writer *list; /* the first three places alone */
	size_t count, room;
	struct weir_phases phases; /* by index */
	struct weir_writers_sum sums[WEIR_WRITERS_PLACES];
};

void weir_writers_fini(struct weir_writers *writers);

/* What a file of a process lies on; NULL: not known. */
const struct weir_mount *weir_writers_mount(uint32_t file, uint32_t proc,
					    const struct weir_names *names,
					    const struct weir_reader *reader);

/* Adds those of a shard, whose clues have been drawn. 0 or -ENOMEM. */
int weir_writers_add(struct weir_writers *writers, struct weir_shard *shard,
		     const struct weir_names *names);

/* All processes of one place, in steps of time: to be freed. 0 or -ENOMEM. */
int weir_writers_steps(struct weir_writers *writers,
		       enum weir_writers_place place,
		       struct weir_forecast_step **ret_steps,
		       size_t *ret_count);

#endif
