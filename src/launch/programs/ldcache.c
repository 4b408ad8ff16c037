/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the loader's list of libraries, /etc/ld.so.cache. */
#include "launch/programs/ldcache.h"

#include "base/whole.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC	 "glibc-ld.so.cache1.1"
#define MAX_SIZE (64 << 20)

struct header {
	char magic[20];
	uint32_t count;
	uint32_t unused[6];
};

struct entry {
	uint32_t flags;
	uint32_t name, path; /* offsets in the file */
	uint32_t unused[3];
};

void weir_ldcache_open(struct weir_ldcache *cache)
{
	int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
	struct stat st;

	*cache = (struct weir_ldcache){0};
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size >= (off_t)sizeof(struct header) &&
	    st.st_size <= MAX_SIZE)
		cache->bytes = weir_whole_copy(fd, (size_t)st.st_size, 0);
	if (cache->bytes)
		cache->size = (size_t)st.st_size;
	close(fd);
}

void weir_ldcache_close(struct weir_ldcache *cache)
{
	free(cache->bytes);
	*cache = (struct weir_ldcache){0};
}

const char *weir_ldcache_find(const struct weir_ldcache *cache,
			      const char *name, unsigned n)
{
	struct header head;
	struct entry entry;
	size_t at = sizeof(head);

	if (cache->size < sizeof(head))
		return NULL;
	memcpy(&head, cache->bytes, sizeof(head));
	if (memcmp(head.magic, MAGIC, sizeof(head.magic)))
		return NULL;
	for (uint32_t i = 0; i < head.count; i++, at += sizeof(entry)) {
		if (at + sizeof(entry) > cache->size)
			return NULL;
		memcpy(&entry, cache->bytes + at, sizeof(entry));
		if (entry.name < cache->size && entry.path < cache->size &&
		    !strcmp(cache->bytes + entry.name, name) && !n--)
			return cache->bytes + entry.path;
	}
	return NULL;
}
