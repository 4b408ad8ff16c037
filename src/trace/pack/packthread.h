/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues the chunks of one thread until their turn to be packed. */
#ifndef WEIR_PACK_PACKTHREAD_H
#define WEIR_PACK_PACKTHREAD_H

#include "trace/event/handles.h"
#include "trace/pack/packout.h"

#include <stdint.h>

/* A chunk is remembered by its place: its records stay in the raw file. */
struct weir_packchunk {
	uint64_t at;      /* of the block in the raw file */
	uint32_t sequence;
	uint32_t records; /* as the block says */
	uint32_t missing; /* a handle it needs; 0: none is missing */
	uint8_t input;    /* the raw file */
	uint8_t damaged;
};

struct weir_packthread {
	struct weir_packout_thread to;
	struct weir_handles *handles; /* borrowed from its process */
	uint32_t sibling; /* index + 1 of the process's next thread */
	uint32_t next;    /* sequence number to go on with */
	struct weir_packchunk *chunks; /* by sequence */
	uint32_t count, room;
	uint64_t records;
};

void weir_packthread_fini(struct weir_packthread *thread);

/* 1 when the chunk was added, 0 when it had come before, -ENOMEM. */
int weir_packthread_add(struct weir_packthread *thread,
			const struct weir_packchunk *chunk);

/* Forgets the first n chunks, which have been packed. */
void weir_packthread_drop(struct weir_packthread *thread, uint32_t n);

#endif
