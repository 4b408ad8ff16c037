/* SPDX-License-Identifier: BSD-3-Clause */
/* What one process does with one file besides moving bytes. */
#ifndef WEIR_ANALYSE_USES_H
#define WEIR_ANALYSE_USES_H

#include "analyse/clues.h"
#include "analyse/sights.h"

#include <stddef.h>
#include <stdint.h>

/* A seek that may turn out to be half of a pread or pwrite. */
struct weir_use_seek {
	uint32_t thread; /* 0: none */
	uint32_t handle;
	uint64_t to;
	struct weir_witness witness;
};

/* Bytes that were read, and may be written back. */
struct weir_use_read {
	uint32_t thread; /* 0: none */
	uint64_t from, to, dur;
};

struct weir_use {
	uint32_t file, proc;
	uint32_t opens, closes;
	uint32_t stats, looks, seeks, syncs;
	uint64_t open_time, close_time, seek_time;
	uint64_t time; /* of all that reaches the system */
	uint64_t read, written; /* likewise */
	uint64_t writes, write_time;
	uint64_t unsynced; /* bytes written since the last sync */
	uint64_t handle, position; /* where the file stands, as far as known */
	uint8_t created, removed, synchronous;
	uint8_t unchanged; /* since it was looked at */
	struct weir_use_seek seek;
	struct weir_use_read last;
	struct weir_witness slowest_open, slowest_write;
};

/* Zero it to begin. */
struct weir_uses {
	struct weir_use *list;
	size_t count, room;
	struct weir_map index; /* pair to index + 1 */
};

void weir_uses_fini(struct weir_uses *uses);

/*
 * Adds a call, whose pair must not be 0; clues that can be told at once go
 * into `clues`. 0 or -ENOMEM.
 */
int weir_uses_take(struct weir_uses *uses, struct weir_clues *clues,
		   const struct weir_sight *sight);

#endif
