/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps rows of very many files in bounded memory: those in use as they are,
 * all others packed. When there is no room for more, those that matter least
 * are added up in one row.
 */
#ifndef WEIR_SUMS_STOCK_H
#define WEIR_SUMS_STOCK_H

#include "analyse/sums/row.h"
#include "trace/bytes/bytes.h"

#include <stddef.h>
#include <stdint.h>

/* Where nothing else is said: some two million files of four kinds of calls. */
#define WEIR_STOCK_MOST (UINT64_C(144) << 20)

#define WEIR_STOCK_RECENT 64

/* Zero it to begin. */
struct weir_stock {
	uint64_t most; /* bytes that rows may take; 0: WEIR_STOCK_MOST */
	size_t count;  /* rows, without the one of the others */
	struct weir_row others; /* files that have no row, and will have none */
	uint64_t folded;	/* how many these are */
	struct weir_bytes gone; /* a bit for each of them, by key */
	struct weir_stock_place *places; /* of rows */
	size_t room;
	uint32_t *index; /* by hash: row + 1 */
	size_t index_room; /* a power of two, or 0 */
	struct weir_bytes packed;
	size_t waste;  /* bytes of it that are nobody's any more */
	uint64_t base; /* moments count from here */
	struct weir_stock_live *live; /* rows in use; NULL: none */
	uint32_t hand; /* the next of them to be packed */
	uint32_t last, last_room; /* the one handed out last */
	uint64_t live_room; /* entries that they have room for */
	uint32_t recent[WEIR_STOCK_RECENT]; /* number among them + 1 */
	struct weir_row *scratch; /* what is looked at */
};

void weir_stock_fini(struct weir_stock *stock);

/*
 * The row of a key, made when it is new, to be counted in until the next call;
 * that of the others when the key's was added to it. NULL: no memory.
 */
struct weir_row *weir_stock_row(struct weir_stock *stock, uint32_t key);

/* After the last call, before rows are looked at. 0 or -ENOMEM. */
int weir_stock_settle(struct weir_stock *stock);

/* A row, from 0 on, or that of a key: valid until the next is looked at. */
const struct weir_row *weir_stock_at(const struct weir_stock *stock, size_t i);
const struct weir_row *weir_stock_find(const struct weir_stock *stock,
				       uint32_t key);

/* The key of one of the rows. */
uint32_t weir_stock_key(const struct weir_stock *stock, size_t i);

/* Rows that have a file, without the one of no file (key 0). */
size_t weir_stock_files(const struct weir_stock *stock);

/* Adds all rows; `from` is settled, and gone then. 0 or -ENOMEM. */
int weir_stock_merge(struct weir_stock *to, struct weir_stock *from);

#endif
