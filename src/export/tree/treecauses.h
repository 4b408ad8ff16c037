/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the operations that were carried out where a call was made. */
#ifndef WEIR_TREE_TREECAUSES_H
#define WEIR_TREE_TREECAUSES_H

#include "analyse/calls/tree.h"
#include "trace/bytes/map.h"
#include "trace/read/reader.h"

/*
 * What stands below a wait was done for what ended there: of several ranks
 * each may have waited for a part of it. Puts the operations that ended below
 * the callers of `of' into ret_ended, by weir_treecauses_key(). 0 or -errno;
 * wants weir_map_fini() either way.
 */
int weir_treecauses_find(struct weir_reader *reader, struct weir_tree_id of,
			 struct weir_map *ret_ended);

uint64_t weir_treecauses_key(struct weir_tree_id id);

#endif
