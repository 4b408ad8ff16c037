/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds a row of bytes that grows. */
#include "trace/bytes/bytes.h"

#include "base/grow.h"
#include "base/varint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void weir_bytes_fini(struct weir_bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct weir_bytes){ 0 };
}

int weir_bytes_reserve(struct weir_bytes *bytes, size_t more)
{
	size_t room = bytes->room ? bytes->room : 4096;

	if (bytes->room - bytes->used >= more && bytes->data)
		return 0;
	if (more > SIZE_MAX / 4)
		return -ENOMEM;
	while (room - bytes->used < more)
		room *= 2;
	if (WEIR_GROW_EXACTLY(bytes->data, room))
		return -ENOMEM;
	bytes->room = room;
	return 0;
}

int weir_bytes_add(struct weir_bytes *bytes, const void *from, size_t len)
{
	int err = weir_bytes_reserve(bytes, len);

	if (err)
		return err;
	if (len)
		memcpy(bytes->data + bytes->used, from, len);
	bytes->used += len;
	return 0;
}

int weir_bytes_add_varint(struct weir_bytes *bytes, uint64_t value)
{
	int err = weir_bytes_reserve(bytes, WEIR_VARINT_MAX);

	if (!err)
		bytes->used += weir_varint_put(bytes->data + bytes->used,
					       value);
	return err;
}
