/* SPDX-License-Identifier: BSD-3-Clause */
/* One packed file of a trace: its index and all but its events. */
#ifndef WEIR_TRACE_READNODE_H
#define WEIR_TRACE_READNODE_H

#include "trace/blocks.h"
#include "trace/dictionary.h"
#include "trace/map.h"
#include "trace/names.h"
#include "trace/nodeinfo.h"
#include "trace/procinfo.h"
#include "trace/unrecorded.h"

#include <stdint.h>

/* What can go wrong with a file, added up. */
struct weir_damage {
	uint64_t blocks; /* damaged, or in places where none was found */
	uint64_t bytes;  /* that belong to no block */
	uint64_t events; /* in damaged blocks, as far as it is known */
};

/* Zero it to begin, then set number and names. */
struct weir_readnode {
	uint32_t number;          /* of the node in its reader, from 0 */
	struct weir_names *names; /* borrowed, common to all nodes */
	int fd;                   /* owned */
	struct weir_nodeinfo info;
	int has_info, has_chunks, has_end;
	struct weir_dictionary *dictionary;
	struct weir_procinfo **processes; /* by number - 1; may be NULL */
	uint32_t process_count, process_room;
	struct weir_map file_of; /* number of a name here to that in names */
	struct weir_blocks_found *events; /* the EVENTS blocks */
	uint64_t event_blocks, event_room;
	struct weir_unrecorded unrecorded;
	struct weir_damage damage;
	struct weir_zip zip;
};

/*
 * Reads everything but the events of an open file, which is owned from then
 * on. -EBADMSG when there is no block in it, -ENOTSUP for a later format.
 */
int weir_readnode_open(struct weir_readnode *node, int fd);

/* Works on a zeroed one, too. */
void weir_readnode_close(struct weir_readnode *node);

/* CLOCK_REALTIME of a tick as the host saw it when recording began, ns. */
static inline uint64_t weir_readnode_real(const struct weir_readnode *node,
					  uint64_t tick)
{
	return weir_nodeinfo_mono(&node->info, tick) - node->info.mono0 +
	       node->info.real0;
}

#endif
