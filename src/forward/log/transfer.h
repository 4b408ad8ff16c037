/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes a transfer: bytes of the program, in one part or several, and where
 * they are in a forwarded file. The same struct goes from the call that asks
 * for it (divert_data.c) by the route it takes (route.h) to the log. In the
 * session's memory it becomes records, and stubs make ops of it: those are
 * layouts that the daemon shares (wire/session_layout.h, spec/forward.ops).
 */
#ifndef WEIR_LOG_TRANSFER_H
#define WEIR_LOG_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>

/* Beyond it, only the kernel knows whether a file may be so long. */
#define WEIR_TRANSFER_FAR (UINT64_C(1) << 43)

/* As an offset: wherever the open file is, and it moves on. */
#define WEIR_TRANSFER_HERE UINT64_MAX

struct weir_transfer {
	int fd;
	uint32_t open, flags; /* of the open file */
	const struct iovec *parts;
	int count;
	uint64_t total; /* bytes of the parts; at most SSIZE_MAX */
	uint64_t offset;
	bool is_done; /* in memory: a deferred file */
	int64_t done; /* then: what came of it */
};

/* How far it is. */
struct weir_transfer_cursor {
	const struct weir_transfer *way;
	const struct iovec *part;
	size_t at;     /* in the part */
	uint64_t done; /* of the whole */
};

static inline struct weir_transfer_cursor
weir_transfer_behind(const struct weir_transfer *way, uint64_t done)
{
	struct weir_transfer_cursor cursor = {
		.way = way, .part = way->parts, .done = done};

	while (done && done >= cursor.part->iov_len)
		done -= cursor.part++->iov_len;
	cursor.at = done;
	return cursor;
}

static inline uint64_t
weir_transfer_left(const struct weir_transfer_cursor *cursor)
{
	return cursor->way->total - cursor->done;
}

/* The next bytes that lie together, at most `most`; 0: that was all. */
static inline uint32_t weir_transfer_next(struct weir_transfer_cursor *cursor,
					  uint32_t most, void **ret_bytes)
{
	uint64_t left = weir_transfer_left(cursor);
	size_t size;

	if (!left)
		return 0;
	while (cursor->at == cursor->part->iov_len) {
		cursor->part++;
		cursor->at = 0;
	}
	*ret_bytes = (char *)cursor->part->iov_base + cursor->at;
	size = cursor->part->iov_len - cursor->at;
	size = size < left ? size : left;
	return (uint32_t)(size < most ? size : most);
}

static inline void weir_transfer_step(struct weir_transfer_cursor *cursor,
				      uint32_t size)
{
	cursor->at += size;
	cursor->done += size;
}

/* The next `count` bytes; so many are there. */
static inline void weir_transfer_copy(struct weir_transfer_cursor *cursor,
				      unsigned char *to, uint32_t count)
{
	void *bytes = NULL;
	uint32_t size;

	while ((size = weir_transfer_next(cursor, count, &bytes))) {
		memcpy(to, bytes, size);
		weir_transfer_step(cursor, size);
		to += size;
		count -= size;
	}
}

#endif
