/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the loader's list of libraries, /etc/ld.so.cache. */
#ifndef WEIR_PROGRAMS_LDCACHE_H
#define WEIR_PROGRAMS_LDCACHE_H

#include <stddef.h>

struct weir_ldcache {
	char *bytes;
	size_t size;
};

/* Without a cache, or with one that is not understood, nothing is found. */
void weir_ldcache_open(struct weir_ldcache *cache);
void weir_ldcache_close(struct weir_ldcache *cache);

/* The n-th path (from 0) of a library of this name; NULL after the last. */
const char *weir_ldcache_find(const struct weir_ldcache *cache,
			      const char *name, unsigned n);

#endif
