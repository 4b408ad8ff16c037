/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells how Lustre stripes a file, by its attribute lustre.lov. */
#include "base/lov.h"

#include "base/append.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What a layout begins with tells its form. */
#define V1	  UINT32_C(0x0bd10bd0)
#define V3	  UINT32_C(0x0bd30bd0) /* has the name of a pool */
#define COMPOSITE UINT32_C(0x0bd60bd0)

/* Where the numbers of one that is not composite are. */
enum {
	PATTERN = 4,
	STRIPE_SIZE = 24,
	STRIPE_COUNT = 28,
	V1_BYTES = 32, /* then the objects */
	POOL = 32,
	POOL_BYTES = 16,
	V3_BYTES = POOL + POOL_BYTES,
	OBJECT_BYTES = 24,
	OBJECT_OST = 20, /* in an object */
};

/* Of one that is; offsets of parts count from its own beginning. */
enum {
	ENTRY_COUNT = 14,
	ENTRIES = 32,
	ENTRY_BYTES = 48,
	EXTENT_FROM = 8, /* in an entry */
	EXTENT_TO = 16,
	PART_AT = 24,
	PART_BYTES = 28,
};

#define STRIPED	 UINT32_C(1)	  /* the usual pattern: over OSTs in turn */
#define ALL_OSTS UINT32_C(0xffff) /* a count */

struct layout {
	const uint8_t *bytes;
	size_t size;
	bool swapped; /* of the other byte order */
};

/* The caller has made sure that they are there. */
static uint64_t number(const struct layout *of, size_t at, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes; i++) {
		size_t next = of->swapped ? i : bytes - 1 - i;

		value = value << 8 | of->bytes[at + next];
	}
	return value;
}

/* 0: neither byte order makes sense of it. */
static uint32_t find_form(struct layout *of)
{
	static const uint32_t forms[] = {V1, V3, COMPOSITE};

	for (int i = 0; of->size >= 4 && i < 2; i++) {
		uint32_t magic;

		of->swapped = i;
		magic = (uint32_t)number(of, 0, 4);
		for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++)
			if (magic == forms[f])
				return magic;
	}
	return 0;
}

static char *tell(char *at, const char *key, uint64_t value)
{
	return weir_append_number(weir_append_text(at, key), value);
}

/* Letters that a pool may have; what comes behind is none. */
static char *tell_pool(const struct layout *of, char *at)
{
	char name[POOL_BYTES + 1] = "";
	size_t len = 0;

	memcpy(name, of->bytes + POOL, POOL_BYTES);
	while ((name[len] >= 'a' && name[len] <= 'z') ||
	       (name[len] >= 'A' && name[len] <= 'Z') ||
	       (name[len] >= '0' && name[len] <= '9') || name[len] == '_' ||
	       name[len] == '-' || name[len] == '.')
		len++;
	name[len] = 0;
	return len ? weir_append_text(weir_append_text(at, " pool="), name)
		   : at;
}

/* The field for the first OST is used otherwise: its first object tells. */
static char *tell_first(const struct layout *of, size_t objects, char *at)
{
	if (of->size < objects + OBJECT_BYTES)
		return at;
	return tell(at, " first=", number(of, objects + OBJECT_OST, 4));
}

static char *tell_plain(const struct layout *of, uint32_t form, char *at)
{
	size_t objects = form == V3 ? V3_BYTES : V1_BYTES;
	uint32_t pattern, count;

	if (of->size < objects)
		return at;
	pattern = (uint32_t)number(of, PATTERN, 4);
	count = (uint32_t)number(of, STRIPE_COUNT, 2);
	at = tell(at, "size=", number(of, STRIPE_SIZE, 4));
	if (count == ALL_OSTS)
		at = weir_append_text(at, " count=-1");
	else
		at = tell(at, " count=", count);
	if (pattern != STRIPED)
		at = tell(at, " pattern=", pattern);
	at = tell_first(of, objects, at);
	return form == V3 ? tell_pool(of, at) : at;
}

/* A part lies somewhere behind the entries, if it is true what they say. */
static char *tell_part(const struct layout *whole, size_t entry, char *at)
{
	uint64_t to = number(whole, entry + EXTENT_TO, 8);
	uint64_t start = number(whole, entry + PART_AT, 4);
	uint64_t bytes = number(whole, entry + PART_BYTES, 4);
	struct layout part;
	uint32_t form;

	at = tell(at, "; extent=", number(whole, entry + EXTENT_FROM, 8));
	at = weir_append_text(at, "-");
	if (to != UINT64_MAX)
		at = weir_append_number(at, to);
	if (start > whole->size || bytes > whole->size - start)
		return at;
	part = (struct layout){.bytes = whole->bytes + start, .size = bytes};
	form = find_form(&part);
	if (form != V1 && form != V3)
		return at;
	return tell_plain(&part, form, weir_append_text(at, " "));
}

static char *tell_composite(const struct layout *of, char *at)
{
	uint64_t count;

	if (of->size < ENTRIES)
		return at;
	count = number(of, ENTRY_COUNT, 2);
	at = tell(at, "parts=", count);
	for (size_t i = 0; i < count && i < WEIR_LOV_PARTS; i++) {
		size_t entry = ENTRIES + i * ENTRY_BYTES;

		if (of->size < entry + ENTRY_BYTES)
			break;
		at = tell_part(of, entry, at);
	}
	return at;
}

void weir_lov_describe(const void *bytes, size_t size, char text[WEIR_LOV_TEXT])
{
	struct layout whole = {.bytes = bytes, .size = size};
	uint32_t form = find_form(&whole);

	text[0] = 0;
	if (form == COMPOSITE)
		tell_composite(&whole, text);
	else if (form)
		tell_plain(&whole, form, text);
}
