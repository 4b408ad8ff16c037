/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs a row in few bytes: most of its counts are 0, or the same. */
#ifndef WEIR_SUMS_ROWPACK_H
#define WEIR_SUMS_ROWPACK_H

#include "analyse/sums/row.h"
#include "trace/bytes/bytes.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Appends all of a row but its key; moments count from `base`, which may be
 * any. 0 or -ENOMEM.
 */
int weir_rowpack_put(struct weir_bytes *to, const struct weir_row *row,
		     uint64_t base);

/* How many entries a packed row has. */
uint32_t weir_rowpack_count(const uint8_t *data, size_t len);

/*
 * Reads it back into a row, whose memory for entries is used again and becomes
 * larger where it has to. 0, -ENOMEM or -EBADMSG.
 */
int weir_rowpack_get(const uint8_t *data, size_t len, uint64_t base,
		     struct weir_row *row);

#endif
