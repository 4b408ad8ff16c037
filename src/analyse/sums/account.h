/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the calls of one process while it runs, in bounded memory. */
#ifndef WEIR_SUMS_ACCOUNT_H
#define WEIR_SUMS_ACCOUNT_H

#include "trace/bytes/bytes.h"
#include "trace/event/dictionary.h"

#include <stddef.h>
#include <stdint.h>

struct weir_account;

/* What a payload may have at most, not squeezed. */
#define WEIR_ACCOUNT_BYTES (1000u << 10)

int weir_account_new(const struct weir_dictionary *dictionary,
		     struct weir_account **ret_account);
/*
 * Another account of the same process, with the names and handles of the
 * first, which must outlive it.
 */
int weir_account_lend(struct weir_account *lender,
		      struct weir_account **ret_account);
void weir_account_free(struct weir_account *account);

/*
 * Adds the records of a chunk, in any order of threads. Damage ends the chunk.
 * 0 or -ENOMEM: then some are not counted, ret_lost tells how many records.
 */
int weir_account_take(struct weir_account *account, const void *data,
		      size_t bytes, uint64_t base_tick, uint64_t *ret_lost);

/* Calls counted so far. */
uint64_t weir_account_calls(const struct weir_account *account);

/*
 * The payload of a PROFILE block and its number of rows. Files that do not
 * fit are added up in one row, so that the sums are those of all.
 */
int weir_account_put(struct weir_account *account, struct weir_bytes *payload,
		     uint32_t *ret_rows);

#endif
