/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows what one process does with one file besides moving bytes. */
#ifndef WEIR_FACTS_USES_H
#define WEIR_FACTS_USES_H

#include "analyse/calls/callviews.h"
#include "analyse/facts/bypair.h"
#include "analyse/facts/clues.h"
#include "analyse/facts/extents.h"
#include "analyse/facts/gathering.h"
#include "analyse/facts/phases.h"

#include <stddef.h>
#include <stdint.h>

/* A seek that may turn out to be half of a pread or pwrite. */
struct weir_use_seek {
	uint32_t thread; /* 0: none */
	uint32_t handle;
	uint64_t to, bytes;
	uint8_t used; /* by one call; by another, and it is a good seek */
	struct weir_witness witness, user;
};

/* Bytes that were read, and may be written back. */
struct weir_use_read {
	uint32_t thread; /* 0: none */
	uint64_t from, to;
	struct weir_witness witness;
};

/* What the program writes by itself, at places that are known. */
struct weir_use_writing {
	uint64_t calls, bytes, time;
	uint64_t once; /* bytes that were new in their version of the file */
	struct weir_extents version; /* what it has of the one in the making */
	struct weir_witness slowest;
};

struct weir_use {
	uint32_t file, proc;
	uint32_t at; /* index of what is known of its file */
	struct weir_gathering_node node; /* of the process */
	uint32_t opens;
	uint32_t again; /* opens of what had been opened, for little work */
	uint32_t looks, seeks, syncs;
	uint32_t missing; /* opens and looks, before it was there */
	uint64_t open_time, close_time, missing_time;
	uint64_t time; /* of all that reaches the system */
	uint64_t read, written; /* likewise */
	uint64_t carried; /* by maps and asynchronous calls, either way */
	uint64_t before; /* of these, when it was opened last */
	uint64_t writes;
	uint64_t unsynced; /* bytes written since the last sync */
	uint64_t unclosed; /* likewise, or since the last close */
	uint64_t closing; /* time of closes after writes */
	/* of writes as large as the requests of a service: */
	uint64_t large_bytes, large_time;
	uint64_t small, small_time;	  /* of those that are */
	uint64_t handle, position; /* where the file stands, as far as known */
	uint64_t seen; /* what was true when it was looked at */
	uint8_t created, removed;
	uint8_t synchronous, was_synchronous; /* as opened now, and ever */
	uint8_t was_direct; /* opened with O_DIRECT, ever */
	uint8_t opened; /* under this name, which has not been given away */
	uint8_t in_memory;
	uint8_t streamed; /* opened as a stream: no standard one */
	uint8_t standard; /* written by a standard stream */
	struct weir_use_seek seek;
	struct weir_use_read last;
	struct weir_use_writing writing;
	struct weir_witness slowest_open, slowest_missing, slowest_write;
};

/* What all processes together do to a file. */
struct weir_use_file {
	uint32_t changes;
	uint32_t users; /* processes, so far */
	uint8_t created, removed; /* this is how it ended */
	uint8_t told; /* among what was inferred */
	uint8_t served; /* a service would have it: who wrote it opened it */
	struct weir_gatherings gathered; /* then */
	/* In the end; what is not yet told: */
	uint64_t requests, joined; /* joined: of one service for all nodes */
	uint64_t spared; /* writes that would be no requests of their own */
};

/*
 * No service gets what is written: the process has not opened the file, nor has
 * who did written it; or it uses it as it likes, by maps or a standard stream.
 */
static inline int weir_use_is_kernels(const struct weir_use *use,
				      const struct weir_use_file *file)
{
	return use->carried || use->standard || (!use->opens && !file->served);
}

/* Zero it to begin. */
struct weir_uses {
	struct weir_use *list;
	size_t count, room;
	struct weir_bypair index;
	struct weir_use_file *files;
	size_t file_count, file_room;
	uint32_t last; /* index of the file of the last call */
	struct weir_map file_index; /* file + 1 to index + 1 */
	struct weir_phases phases; /* by index of the use */
	const struct weir_reader *reader; /* borrowed; NULL: of one node */
};

void weir_uses_fini(struct weir_uses *uses);

/*
 * Adds a call, whose pair must not be 0; clues that can be told at once go
 * into `clues`. 0 or -ENOMEM.
 */
int weir_uses_take(struct weir_uses *uses, struct weir_clues *clues,
		   const struct weir_callview *view);

/* After the last call: what was still open is settled. 0 or -ENOMEM. */
int weir_uses_end(struct weir_uses *uses, struct weir_clues *clues);

/* Of a pair of file and process; NULL: nothing was taken. */
const struct weir_use *weir_uses_get(const struct weir_uses *uses,
				     uint32_t pair);

/* What is known of a file that was taken. */
struct weir_use_file *weir_uses_file(const struct weir_uses *uses,
				     uint32_t file);

#endif
