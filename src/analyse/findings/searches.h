/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds names that were looked for in one directory after another. */
#ifndef WEIR_FINDINGS_SEARCHES_H
#define WEIR_FINDINGS_SEARCHES_H

#include "analyse/facts/clues.h"
#include "analyse/facts/shard.h"
#include "trace/event/names.h"

#include <stddef.h>
#include <stdint.h>

/* What a process learnt of one name. */
struct weir_search {
	uint32_t file, proc;
	uint64_t directory, stem; /* hashes of the parts of its name */
	uint64_t found, missing;
	uint64_t time; /* of what was in vain; ns */
	struct weir_witness slowest;
};

/* Zero it to begin. */
struct weir_searches {
	struct weir_search *list;
	size_t count, room;
};

void weir_searches_fini(struct weir_searches *searches);

/* Adds what was opened or asked for. 0 or -ENOMEM. */
int weir_searches_add(struct weir_searches *searches,
		      const struct weir_uses *uses,
		      const struct weir_names *names);

/* After all have been added: draws clues. 0 or -ENOMEM. */
int weir_searches_infer(struct weir_searches *searches,
			struct weir_clues *clues);

#endif
