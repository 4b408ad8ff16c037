/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps each file name once and numbers it from 1. */
#include "trace/event/names.h"

#include "base/grow.h"
#include "base/hash.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMES (1u << 28)

void weir_names_fini(struct weir_names *names)
{
	weir_bytes_fini(&names->text);
	free(names->places);
	free(names->starts);
	*names = (struct weir_names){ 0 };
}

void weir_names_init_upon(struct weir_names *names,
			  const struct weir_names *base)
{
	*names = (struct weir_names){
		.count = base->count, .base = base, .base_count = base->count,
	};
}

static uint32_t own_count(const struct weir_names *names)
{
	return names->count - names->base_count;
}

static int make_start_room(struct weir_names *names)
{
	if (own_count(names) < names->room)
		return 0;
	if (names->count >= MOST_NAMES)
		return -EOVERFLOW;
	return WEIR_GROW(names->starts, own_count(names), names->room);
}

const char *weir_names_get(const struct weir_names *names, uint32_t number,
			   size_t *ret_len)
{
	uint64_t start, end;

	if (!number || number > names->count)
		return NULL;
	if (number <= names->base_count)
		return weir_names_get(names->base, number, ret_len);
	start = names->starts[number - names->base_count - 1];
	end = number < names->count ?
		      names->starts[number - names->base_count] :
		      names->text.used;
	*ret_len = end - start - 1;
	return (const char *)names->text.data + start;
}

/* The place of a name, or a free one where it belongs. */
static uint32_t *find_name_place(const struct weir_names *names,
				 const void *name, size_t len)
{
	uint64_t place = weir_hash_bytes(name, len);
	size_t had_len = 0;
	const char *had;

	for (;; place++) {
		uint32_t *number = &names->places[place &
						  (names->place_count - 1)];

		had = weir_names_get(names, *number, &had_len);
		if (!had || (had_len == len && !memcmp(had, name, len)))
			return number;
	}
}

/* A quarter at least is free. All are put in anew when it grows. */
static int make_places(struct weir_names *names)
{
	struct weir_names larger = *names;
	const char *name;
	size_t len = 0;

	if (own_count(names) < names->place_count / 4 * 3)
		return 0;
	larger.place_count = names->place_count ? names->place_count * 2 : 64;
	larger.places = calloc(larger.place_count, sizeof(*larger.places));
	if (!larger.places)
		return -ENOMEM;
	for (uint32_t i = names->base_count + 1; i <= names->count; i++) {
		name = weir_names_get(names, i, &len);
		*find_name_place(&larger, name, len) = i;
	}
	free(names->places);
	*names = larger;
	return 0;
}

uint64_t weir_names_bytes(const struct weir_names *names)
{
	uint64_t each = sizeof(*names->starts) + 2 * sizeof(*names->places);

	return names->text.used + own_count(names) * each;
}

static bool is_too_much(const struct weir_names *names, size_t len)
{
	return names->most && weir_names_bytes(names) + len > names->most;
}

static int append_name(struct weir_names *names, const void *name, size_t len)
{
	uint64_t start = names->text.used;
	int err = is_too_much(names, len) ? -EFBIG : make_start_room(names);

	if (!err)
		err = weir_bytes_reserve(&names->text, len + 1);
	if (err)
		return err;
	weir_bytes_add(&names->text, name, len);
	weir_bytes_add(&names->text, "", 1);
	names->starts[own_count(names)] = start;
	names->count++;
	return 0;
}

/* What was added to the base since we began is not ours. */
static uint32_t find_below(const struct weir_names *names, const void *name,
			   size_t len)
{
	const struct weir_names *base = names->base;
	uint32_t number = base && base->place_count
				  ? *find_name_place(base, name, len)
				  : 0;

	return number <= names->base_count ? number : 0;
}

int weir_names_add(struct weir_names *names, const void *name, size_t len,
		   uint32_t *ret_number)
{
	uint32_t *place;
	int err;

	*ret_number = find_below(names, name, len);
	if (*ret_number)
		return 0;
	err = make_places(names);
	if (err)
		return err;
	place = find_name_place(names, name, len);
	if (!*place) {
		err = append_name(names, name, len);
		if (err)
			return err;
		*place = names->count;
	}
	*ret_number = *place;
	return 0;
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
