/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a packer's blocks, names and events to a file. */
#ifndef WEIR_PACK_PACKOUT_H
#define WEIR_PACK_PACKOUT_H

#include "trace/event/names.h"
#include "trace/file/columns.h"
#include "trace/file/store.h"

#include <stdint.h>

/* Zero it to begin, then set store, which is owned. */
struct weir_packout {
	struct weir_store *store;
	struct weir_names names;
	uint32_t names_told; /* of them, written to the file */
	struct weir_columns columns;
	struct weir_bytes payload, squeezed;
	uint64_t events; /* without LOSS notes */
};

/* Whose events are being written. */
struct weir_packout_thread {
	uint32_t proc, thread; /* numbers in the packed file */
	uint64_t index;        /* of its next event */
	uint64_t clock;        /* end of its last event, ticks */
};

void weir_packout_fini(struct weir_packout *out);

/* Writes a block, squeezed when that helps; fills in stored and raw. */
int weir_packout_block(struct weir_packout *out, struct weir_block *head,
		       const struct weir_bytes *payload);

/* The same of a text. */
int weir_packout_text(struct weir_packout *out, uint32_t type, uint32_t proc,
		      const struct weir_bytes *text);

/* Adds an event to the block being built, and writes it when it is full. */
int weir_packout_add(struct weir_packout *out,
		     struct weir_packout_thread *thread,
		     struct weir_event *event);

/* Writes what has been added, so that another thread's turn may come. */
int weir_packout_flush(struct weir_packout *out,
		       const struct weir_packout_thread *thread);

/* Writes new names when there are many; when all is set, any. */
int weir_packout_names(struct weir_packout *out, int all);

#endif
