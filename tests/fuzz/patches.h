/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs that are changes of a large, whole thing: a row of patches. */
#ifndef WEIR_TESTS_PATCHES_H
#define WEIR_TESTS_PATCHES_H

#include "mutate.h"

#include <string.h>

/* Followed by its bytes. The numbers may be anything: they are bounded. */
struct patch {
	uint32_t at;
	uint32_t length;
};

static inline size_t patch_bytes(const struct patch *patch, size_t left)
{
	return patch->length < left ? patch->length : left;
}

static inline size_t find_patch(const uint8_t *bytes, size_t size)
{
	struct patch patch;

	if (size < sizeof(patch))
		return 0;
	memcpy(&patch, bytes, sizeof(patch));
	return sizeof(patch) + patch_bytes(&patch, size - sizeof(patch));
}

static inline size_t pack_patch(uint8_t *part, size_t room,
				const uint8_t *body, size_t size)
{
	struct patch patch;

	memcpy(&patch, part, sizeof(patch));
	patch.length = (uint32_t)size;
	memcpy(part, &patch, sizeof(patch));
	memcpy(part + sizeof(patch), body, size);
	return sizeof(patch) + size;
}

static const struct fuzz_number patch_numbers[] = {
	{ 0, 4 }, { 0, 2 }, { 4, 4 }, { 0, 0 },
};

static inline void patch(void *thing, size_t room, const uint8_t *data,
			 size_t size)
{
	struct patch one;

	while (size >= sizeof(one)) {
		size_t length, fits;

		memcpy(&one, data, sizeof(one));
		data += sizeof(one);
		size -= sizeof(one);
		length = patch_bytes(&one, size);
		one.at %= (uint32_t)room;
		fits = length < room - one.at ? length : room - one.at;
		memcpy((uint8_t *)thing + one.at, data, fits);
		data += length;
		size -= length;
	}
}

#endif
