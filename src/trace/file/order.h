/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the numbers of blocks round that come from the other byte order. */
#ifndef WEIR_FILE_ORDER_H
#define WEIR_FILE_ORDER_H

#include "trace/layout/trace_layout.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Only blocks.c calls these: what it hands out is in the order of this
 * machine, so that nobody else has to know of another.
 */

/* Whether these are the eight bytes a block begins with, in either order. */
int weir_order_is_magic(const uint8_t *magic);

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
