/* SPDX-License-Identifier: BSD-3-Clause */
/* Caches the words that stand for names. */
#include "share/mask/maskcache.h"

#include "base/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PLACES	(1u << 16)
#define LONGEST 31 /* longer names seldom come again */

struct weir_maskcache {
	struct place {
		uint8_t len; /* 0: it is empty */
		char name[LONGEST];
		char word[WEIR_SECRET_WORD];
	} places[PLACES];
};

struct weir_maskcache *weir_maskcache_new(void)
{
	return calloc(1, sizeof(struct weir_maskcache));
}

void weir_maskcache_free(struct weir_maskcache *cache)
{
	free(cache);
}

void weir_maskcache_word(struct weir_maskcache *cache,
			 const struct weir_secret *secret, const void *bytes,
			 size_t len, char to[WEIR_SECRET_WORD + 1])
{
	struct place *place;

	if (!cache || !len || len > LONGEST) {
		weir_secret_word(secret, bytes, len, to);
		return;
	}
	place = &cache->places[weir_hash_bytes(bytes, len) % PLACES];
	if (place->len != len || memcmp(place->name, bytes, len)) {
		weir_secret_word(secret, bytes, len, to);
		place->len = (uint8_t)len;
		memcpy(place->name, bytes, len);
		memcpy(place->word, to, WEIR_SECRET_WORD);
	}
	memcpy(to, place->word, WEIR_SECRET_WORD);
	to[WEIR_SECRET_WORD] = '\0';
}
