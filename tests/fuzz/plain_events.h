/* SPDX-License-Identifier: BSD-3-Clause */
/* EVENTS payloads with nothing squeezed in them. */
#ifndef WEIR_TESTS_PLAIN_EVENTS_H
#define WEIR_TESTS_PLAIN_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Writes the payload with its squeezed planes written out, so that a change
 * of its bytes means something. Its length; 0 when it cannot be read.
 */
size_t plain_events(const uint8_t *payload, size_t size, uint32_t count,
		    uint8_t *to, size_t room);

#endif
