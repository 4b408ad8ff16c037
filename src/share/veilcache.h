/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that stand for names, kept for when the same name comes again. */
#ifndef WEIR_SHARE_VEILCACHE_H
#define WEIR_SHARE_VEILCACHE_H

#include "share/secret.h"

#include <stddef.h>

struct weir_veilcache;

/* For one secret. NULL: no memory, which only makes it slower. */
struct weir_veilcache *weir_veilcache_new(void);
void weir_veilcache_free(struct weir_veilcache *cache);

/* As weir_secret_word(); the cache may be NULL. */
void weir_veilcache_word(struct weir_veilcache *cache,
			 const struct weir_secret *secret, const void *bytes,
			 size_t len, char to[WEIR_SECRET_WORD + 1]);

#endif
