/* SPDX-License-Identifier: BSD-3-Clause */
/* File names, each kept once and numbered from 1. */
#include "trace/names.h"

#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES (1u << 28)

void weir_names_fini(struct weir_names *names)
{
	weir_bytes_fini(&names->text);
	weir_map_fini(&names->numbers);
	free(names->starts);
	*names = (struct weir_names){ 0 };
}

static int make_room(struct weir_names *names)
{
	uint32_t room = names->room ? names->room * 2 : 64;
	uint64_t *starts;

	if (names->count < names->room)
		return 0;
	if (names->count >= MOST_NAMES)
		return -EOVERFLOW;
	starts = realloc(names->starts, room * sizeof(*starts));
	if (!starts)
		return -ENOMEM;
	names->starts = starts;
	names->room = room;
	return 0;
}

const char *weir_names_get(const struct weir_names *names, uint32_t number,
			   size_t *ret_len)
{
	uint64_t start, end;

	if (!number || number > names->count)
		return NULL;
	start = names->starts[number - 1];
	end = number < names->count ? names->starts[number] : names->text.used;
	*ret_len = end - start - 1;
	return (const char *)names->text.data + start;
}

static int append(struct weir_names *names, const void *name, size_t len,
		  uint64_t key)
{
	uint64_t start = names->text.used;
	int err = make_room(names);

	if (!err)
		err = weir_bytes_reserve(&names->text, len + 1);
	if (!err)
		err = weir_map_put(&names->numbers, key, names->count + 1);
	if (err)
		return err;
	weir_bytes_add(&names->text, name, len);
	weir_bytes_add(&names->text, "", 1);
	names->starts[names->count++] = start;
	return 0;
}

/* Names that share a hash stand at the keys that follow it. */
int weir_names_add(struct weir_names *names, const void *name, size_t len,
		   uint32_t *ret_number)
{
	uint64_t key = weir_hash_bytes(name, len);
	int err;

	for (;; key++) {
		uint32_t number = (uint32_t)weir_map_get(&names->numbers, key);
		size_t had_len = 0;
		const char *had = weir_names_get(names, number, &had_len);

		if (!had)
			break;
		if (had_len == len && !memcmp(had, name, len)) {
			*ret_number = number;
			return 0;
		}
	}
	err = append(names, name, len, key);
	if (!err)
		*ret_number = names->count;
	return err;
}

int weir_names_put(const struct weir_names *names, uint32_t from, uint32_t to,
		   struct weir_bytes *payload)
{
	int err = 0;

	for (uint32_t i = from; !err && i < to; i++) {
		size_t len = 0;
		const char *name = weir_names_get(names, i, &len);

		err = weir_bytes_add_varint(payload, len);
		if (!err)
			err = weir_bytes_add(payload, name, len);
	}
	return err;
}
