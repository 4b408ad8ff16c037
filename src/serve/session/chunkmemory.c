/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives memory to chunks, and takes it back to the system. */
#include "serve/session/chunkmemory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static off_t place_of_chunk(const struct weir_session *session, uint32_t chunk)
{
	return weir_session_chunk_at(session, chunk) - session->memory;
}

void weir_chunkmemory_strip(struct weir_session *session, uint32_t chunk)
{
	fallocate(session->memory_fd,
		  FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		  place_of_chunk(session, chunk), WEIR_SESSION_CHUNK);
}

/*
 * For us too: of pages that are not mapped, what is written to a file system in
 * a process (FUSE) goes there in many short requests instead of a few long
 * ones. A kernel that is too old for it maps them when they are used.
 */
static void map_chunk(const struct weir_session *session, uint32_t chunk)
{
	madvise(weir_session_chunk_at(session, chunk), WEIR_SESSION_CHUNK,
		MADV_POPULATE_READ);
}

/*
 * Memory now, as a client that found none would be killed. Writing it is faster
 * than to allocate and then to touch it, and clients get many pages by one
 * fault after either.
 */
int weir_chunkmemory_provide(struct weir_session *session, uint32_t chunk)
{
	static unsigned char nothing[WEIR_SESSION_CHUNK];
	off_t at = place_of_chunk(session, chunk);
	size_t done = 0;

	while (done < sizeof(nothing)) {
		ssize_t put = pwrite(session->memory_fd, nothing,
				     sizeof(nothing) - done, at + (off_t)done);

		if (put <= 0) {
			weir_chunkmemory_strip(session, chunk);
			return -ENOMEM;
		}
		done += (size_t)put;
	}
	map_chunk(session, chunk);
	return 0;
}
