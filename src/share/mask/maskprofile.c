/* SPDX-License-Identifier: BSD-3-Clause */
/* Hides the names of files in the sums of a process. */
#include "share/mask/maskprofile.h"

#include "base/varint.h"

#include <errno.h>

/* A payload on its way. */
struct way {
	const struct weir_mask *mask;
	const uint8_t *at;
	size_t left;
	struct weir_bytes *to;
	struct weir_bytes name; /* scratch */
};

static int get_profile_number(struct way *way, uint64_t *ret_number)
{
	size_t n = weir_varint_get(way->at, way->left, ret_number);

	way->at += n;
	way->left -= n;
	return n ? 0 : -EBADMSG;
}

static int pass_number(struct way *way, uint64_t *ret_number)
{
	int err = get_profile_number(way, ret_number);

	return err ? err : weir_bytes_add_varint(way->to, *ret_number);
}

static int pass_numbers(struct way *way, uint64_t count)
{
	uint64_t number;
	int err = 0;

	for (; !err && count; count--)
		err = pass_number(way, &number);
	return err;
}

/* Length and bytes. */
static int pass_name(struct way *way)
{
	uint64_t len = 0;
	int err = get_profile_number(way, &len);

	if (!err && len > way->left)
		err = -EBADMSG;
	if (err)
		return err;
	way->name.used = 0;
	err = weir_mask_name(way->mask, way->at, len, &way->name);
	way->at += len;
	way->left -= len;
	if (!err)
		err = weir_bytes_add_varint(way->to, way->name.used);
	return err ? err
		   : weir_bytes_add(way->to, way->name.data, way->name.used);
}

/* Kind, perhaps a name; two times; the numbers of each call. */
static int pass_row(struct way *way)
{
	enum { FILE_ROW = 0, OTHER_FILES = 2 };
	uint64_t kind = 0, calls = 0, numbers;
	int err = pass_number(way, &kind);

	if (!err && kind == FILE_ROW)
		err = pass_name(way);
	if (!err && kind == OTHER_FILES)
		err = pass_numbers(way, 1);
	if (!err && kind > OTHER_FILES)
		err = -EBADMSG; /* nobody knows what it tells */
	if (!err)
		err = pass_numbers(way, 2);
	if (!err)
		err = pass_number(way, &calls);
	for (; !err && calls; calls--) {
		err = pass_numbers(way, 1);
		if (!err)
			err = pass_number(way, &numbers);
		if (!err)
			err = pass_numbers(way, numbers);
	}
	return err;
}

int weir_maskprofile_write(const struct weir_mask *mask, uint32_t rows,
			   const struct weir_bytes *payload,
			   struct weir_bytes *to)
{
	struct way way = {
		.mask = mask,
		.at = payload->data,
		.left = payload->used,
		.to = to,
	};
	int err = 0;

	for (; !err && rows; rows--)
		err = pass_row(&way);
	if (!err && way.left)
		err = -EBADMSG; /* nobody knows what it tells */
	weir_bytes_fini(&way.name);
	return err;
}
