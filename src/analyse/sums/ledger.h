/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps rows of counted calls by key: a file, a process or the like. */
#ifndef WEIR_SUMS_LEDGER_H
#define WEIR_SUMS_LEDGER_H

#include "analyse/sums/row.h"
#include "trace/bytes/map.h"

#include <stddef.h>
#include <stdint.h>

#define WEIR_LEDGER_RECENT 64

/* Zero it to begin. */
struct weir_ledger {
	struct weir_row *rows;
	size_t count, room;
	struct weir_map index; /* key + 1 to index + 1 */
	uint32_t recent[WEIR_LEDGER_RECENT]; /* index + 1, by the key's end */
};

void weir_ledger_fini(struct weir_ledger *ledger);

/* The row of a key; NULL: there is none. */
struct weir_row *weir_ledger_find(const struct weir_ledger *ledger,
				  uint64_t key);

/* The same, made when it is new; NULL: no memory. */
struct weir_row *weir_ledger_row(struct weir_ledger *ledger, uint64_t key);

/*
 * Keeps the rows for which `keep` has a 1, in their order; what is not kept
 * has been given back by then.
 */
int weir_ledger_keep(struct weir_ledger *ledger, const uint8_t *keep);

#endif
