/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses how bytes travel: by the log, an op, prefetched, or by the kernel. */
#ifndef WEIR_TRANSFER_ROUTE_H
#define WEIR_TRANSFER_ROUTE_H

#include <stdint.h>

struct weir_transfer;

/* Bytes, or -errno. */
int64_t weir_route_write(const struct weir_transfer *way);
int64_t weir_route_read(const struct weir_transfer *way);

/* To the end of the file; *ret_end: behind what was written. */
int64_t weir_route_append(const struct weir_transfer *way, uint64_t *ret_end);

#endif
