/* SPDX-License-Identifier: BSD-3-Clause */
/* Caches the words that stand for names. */
#ifndef WEIR_MASK_MASKCACHE_H
#define WEIR_MASK_MASKCACHE_H

#include "share/mask/secret.h"

#include <stddef.h>

struct weir_maskcache;

/* For one secret. NULL: no memory, which only makes it slower. */
struct weir_maskcache *weir_maskcache_new(void);
void weir_maskcache_free(struct weir_maskcache *cache);

/* As weir_secret_word(); the cache may be NULL. */
void weir_maskcache_word(struct weir_maskcache *cache,
			 const struct weir_secret *secret, const void *bytes,
			 size_t len, char to[WEIR_SECRET_WORD + 1]);

#endif
