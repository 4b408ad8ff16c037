/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes one event with its callers, what it caused and who took part. */
#ifndef WEIR_PAGESERVER_LINEAGE_H
#define WEIR_PAGESERVER_LINEAGE_H

#include "analyse/calls/tree.h"
#include "export/sites/sites.h"
#include "trace/read/reader.h"

/*
 * Writes it as JSON; sites may be NULL. Only the blocks of its process that
 * are of its time are read, of an asynchronous operation all of the process.
 * 0, -ENOENT when there is no such event, or an error of the reader.
 */
int weir_lineage_answer(struct weir_reader *reader, struct weir_sites *sites,
			struct weir_tree_id id, int fd);

#endif
