/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows of byte orders: marks blocks with ours, turns those of the other. */
#ifndef WEIR_FILE_ORDER_H
#define WEIR_FILE_ORDER_H

#include "trace/layout/trace_layout.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Each machine writes blocks in its own order. Only store.c and blocks.c call
 * these: what they take and hand out is in the order of this machine, so that
 * nobody else has to know of another.
 */

/* Gives a header the magic of this machine's order. */
void weir_order_mark(struct weir_block *head);

/* Whether a block may begin with these bytes, of eight, in either order. */
int weir_order_is_magic(const uint8_t *magic, size_t size);

/* Whether the numbers of a block are to be turned round. */
int weir_order_is_other(const struct weir_block *head);

/* All numbers of a header; the magic goes on telling of the payload. */
void weir_order_turn_head(struct weir_block *head);

/*
 * The fixed-width numbers of an unpacked payload, aligned to 8 bytes. Of one
 * that is not as it should be, those before the fault are turned.
 */
void weir_order_turn_payload(uint32_t type, void *payload, size_t size);

#endif
