/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds a row of bytes that grows. */
#ifndef WEIR_BYTES_BYTES_H
#define WEIR_BYTES_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct weir_bytes {
	uint8_t *data;
	size_t used, room;
};

void weir_bytes_fini(struct weir_bytes *bytes);

/* Makes sure that `more` bytes fit behind the used ones; 0 or -ENOMEM. */
int weir_bytes_reserve(struct weir_bytes *bytes, size_t more);

int weir_bytes_add(struct weir_bytes *bytes, const void *from, size_t len);
int weir_bytes_add_varint(struct weir_bytes *bytes, uint64_t value);

#endif
