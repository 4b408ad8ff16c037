/* SPDX-License-Identifier: BSD-3-Clause */
/* Does a packer's work: reads chunks, makes events of them, writes these. */
#ifndef WEIR_PACK_PACKWORK_H
#define WEIR_PACK_PACKWORK_H

#include "trace/bytes/bytes.h"
#include "trace/event/dictionary.h"
#include "trace/pack/packout.h"
#include "trace/pack/packthread.h"

#include <stdint.h>

#define WEIR_PACKWORK_INPUTS 2

/* Zero it to begin; who has it fills it in and gives it back. */
struct weir_packwork {
	int inputs[WEIR_PACKWORK_INPUTS]; /* raw files */
	uint8_t input_count;
	const struct weir_dictionary *dictionary;
	struct weir_packout out;
	struct weir_bytes chunk; /* scratch */
	uint64_t lost;           /* records of damaged chunks */
	uint64_t damaged;        /* chunks */
};

/*
 * Loads a chunk, learns the handles it tells of, and sets chunk->missing to
 * one it needs that is not known yet, and chunk->damaged. 0 or -errno.
 */
int weir_packwork_survey(struct weir_packwork *work,
			 struct weir_handles *handles,
			 struct weir_packchunk *chunk);

/* Learns the handles that these records tell of. 0 or -errno. */
int weir_packwork_learn(struct weir_packwork *work,
			struct weir_handles *handles, const void *data,
			uint32_t used, uint64_t base_tick);

/*
 * Packs a thread's chunks as far as they go: to a chunk that has not come, or
 * one that needs a handle another thread has not told of. When no more is to
 * be expected (last), neither stops it, and what is missing is told.
 */
int weir_packwork_thread(struct weir_packwork *work,
			 struct weir_packthread *thread, int last);

#endif
