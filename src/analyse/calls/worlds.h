/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the ranks of several jobs in one trace apart. */
#ifndef WEIR_CALLS_WORLDS_H
#define WEIR_CALLS_WORLDS_H

#include "trace/read/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What MPI calls a world: the ranks that were started together. Each tells by
 * the trait `world' which it is of; where it does not (in traces of older
 * versions), by what the launcher called its job. Zero it for no processes.
 */
struct weir_worlds {
	struct weir_worlds_place *places; /* by process */
	size_t count;
};

/*
 * reader NULL: no processes. 0 or -ENOMEM; wants weir_worlds_fini() either
 * way.
 */
int weir_worlds_init(struct weir_worlds *all, const struct weir_reader *reader);
void weir_worlds_fini(struct weir_worlds *all);

/*
 * What tells keys of this process's world from others'; 0: keys that ranks
 * tell do so themselves.
 */
uint64_t weir_worlds_salt(const struct weir_worlds *all, uint32_t proc);

/* There is another of this rank, and nothing says that it is of another job. */
bool weir_worlds_is_twin(const struct weir_worlds *all, uint32_t proc);

#endif
