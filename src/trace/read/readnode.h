/* SPDX-License-Identifier: BSD-3-Clause */
/* Indexes one packed file of a trace and keeps all but its events. */
#ifndef WEIR_READ_READNODE_H
#define WEIR_READ_READNODE_H

#include "trace/bytes/map.h"
#include "trace/control/outcome.h"
#include "trace/control/unrecorded.h"
#include "trace/facts/mounts.h"
#include "trace/facts/nodeinfo.h"
#include "trace/facts/procinfo.h"
#include "trace/file/blocks.h"
#include "trace/read/numbering.h"
#include "trace/read/readfile.h"
#include "trace/read/readshelf.h"

#include <stdint.h>

/* What can go wrong with a file, added up. */
struct weir_damage {
	uint64_t blocks; /* damaged, or in places where none was found */
	uint64_t bytes;  /* that belong to no block */
	uint64_t events; /* in damaged blocks, as far as it is known */
};

/* An EVENTS, RING or PROFILE block, and how much it holds. */
struct weir_readnode_block {
	struct weir_blocks_found found;
	uint32_t detail_bytes; /* as it says; to be checked */
	uint64_t first_index;  /* likewise; of a RING nobody says */
};

/* Zero it to begin, then set number and shelf. */
struct weir_readnode {
	uint32_t number;              /* of the node in its reader, from 0 */
	struct weir_readshelf *shelf; /* borrowed, common to all nodes */
	struct weir_readfile file;    /* owned */
	uint64_t next; /* offset of the next part of the file; 0: none */
	struct weir_nodeinfo info;
	struct weir_mounts mounts;
	int has_info, has_chunks, has_end;
	uint64_t calls; /* as its end tells */
	const struct weir_dictionary *dictionary; /* borrowed */
	struct weir_procinfo **processes; /* by number - 1; may be NULL */
	uint32_t process_count, process_room;
	struct weir_numbering file_of; /* of a name here to the shelf's */
	struct weir_readnode_block *events;
	uint64_t event_blocks, event_room;
	struct weir_readnode_block *profiles; /* the PROFILE blocks */
	uint32_t profile_count, profile_room;
	struct weir_map profile_of; /* process to its last one + 1, */
	struct weir_map current_of; /* and the one to be added to it */
	struct weir_unrecorded unrecorded;
	struct weir_outcome *outcome; /* of its plan; NULL: it has none */
	struct weir_damage damage;
};

/*
 * Reads everything but the events of an open file, from an offset on to its
 * end or the next part; who opened it tells node->file of it. -EBADMSG when
 * there is no block in it, -ENOTSUP for a later format.
 */
int weir_readnode_open(struct weir_readnode *node, int fd, uint64_t at);

/* Loads the payload of an EVENTS or PROFILE block; see weir_blocks_load(). */
int weir_readnode_load(const struct weir_readnode *node,
		       const struct weir_readnode_block *block,
		       struct weir_bytes *to);

/* Works on a zeroed one, too. */
void weir_readnode_close(struct weir_readnode *node);

#endif
