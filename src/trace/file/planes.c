/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores a column of numbers as planes of bytes, each in its own way. */
#include "trace/file/planes.h"

#include "base/varint.h"

#include <errno.h>
#include <string.h>

/* Below this a zstd frame cannot be smaller than the bytes themselves. */
#define ZSTD_FLOOR 24

void weir_planes_fini(struct weir_planes *planes)
{
	weir_zip_fini(&planes->zip);
	weir_bytes_fini(&planes->plane);
	weir_bytes_fini(&planes->frame);
}

static int all_the_same(const uint8_t *bytes, size_t rows)
{
	return !rows || !memcmp(bytes, bytes + 1, rows - 1);
}

static int put_raw(const uint8_t *bytes, size_t rows, struct weir_bytes *to)
{
	static const uint8_t how = WEIR_PLANE_RAW;
	int err = weir_bytes_add(to, &how, 1);

	return err ? err : weir_bytes_add(to, bytes, rows);
}

/* The length stands before the frame, so the frame is made aside first. */
static int put_zstd(struct weir_planes *planes, const uint8_t *bytes,
		    size_t rows, struct weir_bytes *to)
{
	static const uint8_t how = WEIR_PLANE_ZSTD;
	struct weir_bytes *aside = &planes->frame;
	int err;

	aside->used = 0;
	err = weir_zip_squeeze(&planes->zip, bytes, rows, aside);
	if (err == -E2BIG)
		return put_raw(bytes, rows, to);
	if (err)
		return err;
	err = weir_bytes_add(to, &how, 1);
	if (!err)
		err = weir_bytes_add_varint(to, aside->used);
	return err ? err : weir_bytes_add(to, aside->data, aside->used);
}

int weir_planes_put_bytes(struct weir_planes *planes, const uint8_t *bytes,
			  size_t rows, struct weir_bytes *to)
{
	if (all_the_same(bytes, rows)) {
		uint8_t plane[2] = { WEIR_PLANE_CONST, rows ? *bytes : 0 };

		return weir_bytes_add(to, plane, sizeof(plane));
	}
	if (rows < ZSTD_FLOOR)
		return put_raw(bytes, rows, to);
	return put_zstd(planes, bytes, rows, to);
}

static unsigned int planes_of(const uint64_t *column, size_t rows)
{
	uint64_t all = 0;

	for (size_t i = 0; i < rows; i++)
		all |= column[i];
	return all ? (71 - (unsigned int)__builtin_clzll(all)) / 8 : 0;
}

static int put_plane(struct weir_planes *planes, const uint64_t *column,
		     size_t rows, unsigned int shift, struct weir_bytes *to)
{
	uint8_t *bytes;
	int err = weir_bytes_reserve(&planes->plane, rows);

	if (err)
		return err;
	bytes = planes->plane.data;
	for (size_t i = 0; i < rows; i++)
		bytes[i] = (uint8_t)(column[i] >> shift);
	return weir_planes_put_bytes(planes, bytes, rows, to);
}

int weir_planes_put(struct weir_planes *planes, const uint64_t *column,
		    size_t rows, struct weir_bytes *to)
{
	uint8_t n = (uint8_t)planes_of(column, rows);
	int err = weir_bytes_add(to, &n, 1);

	for (unsigned int p = 0; !err && p < n; p++)
		err = put_plane(planes, column, rows, 8 * p, to);
	return err;
}

static int take_plane_bytes(struct weir_planes_source *source, size_t len,
			    const uint8_t **ret_bytes)
{
	if (source->left < len)
		return -EBADMSG;
	*ret_bytes = source->at;
	source->at += len;
	source->left -= len;
	return 0;
}

static int get_zstd(struct weir_planes *planes,
		    struct weir_planes_source *source, uint8_t *to,
		    size_t rows)
{
	const uint8_t *frame;
	uint64_t len;
	size_t n = weir_varint_get(source->at, source->left, &len);

	if (!n || take_plane_bytes(source, n, &frame) ||
	    take_plane_bytes(source, len, &frame))
		return -EBADMSG;
	return weir_zip_expand(&planes->zip, frame, len, to, rows);
}

int weir_planes_get_bytes(struct weir_planes *planes,
			  struct weir_planes_source *source,
			  uint8_t *ret_bytes, size_t rows)
{
	const uint8_t *from;

	if (take_plane_bytes(source, 1, &from))
		return -EBADMSG;
	switch (*from) {
	case WEIR_PLANE_CONST:
		if (take_plane_bytes(source, 1, &from))
			return -EBADMSG;
		memset(ret_bytes, *from, rows);
		return 0;
	case WEIR_PLANE_RAW:
		if (take_plane_bytes(source, rows, &from))
			return -EBADMSG;
		memcpy(ret_bytes, from, rows);
		return 0;
	case WEIR_PLANE_ZSTD:
		return get_zstd(planes, source, ret_bytes, rows);
	}
	return -EBADMSG;
}

int weir_planes_get(struct weir_planes *planes,
		    struct weir_planes_source *source, uint64_t *ret_column,
		    size_t rows)
{
	const uint8_t *n, *bytes;
	int err = weir_bytes_reserve(&planes->plane, rows);

	if (err)
		return err;
	if (take_plane_bytes(source, 1, &n) || *n > 8)
		return -EBADMSG;
	if (!*n && rows) /* without rows there may be no column */
		memset(ret_column, 0, rows * sizeof(*ret_column));
	for (unsigned int p = 0; p < *n; p++) {
		err = weir_planes_get_bytes(planes, source,
					    planes->plane.data, rows);
		if (err)
			return err;
		bytes = planes->plane.data;
		for (size_t i = 0; !p && i < rows; i++)
			ret_column[i] = bytes[i];
		for (size_t i = 0; p && i < rows; i++)
			ret_column[i] |= (uint64_t)bytes[i] << (8 * p);
	}
	return 0;
}
