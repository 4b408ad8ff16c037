/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the raw trace file and keeps room for its last blocks. */
#include "launch/collect/spool.h"

#include "base/clock.h"
#include "trace/file/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * A disk may fill up while we record. What says so, the last PROC and HEAD
 * blocks, must still find room: space is allocated ahead of the file's end,
 * and a chunk may use it only while enough is left for the last blocks. The
 * file's size does not change by this, so it is a row of whole blocks at
 * every instant.
 */
#define AHEAD (UINT64_C(4) << 20)
#define KEEP  (UINT64_C(64) << 10)
#define PAUSE UINT64_C(10000000) /* ns until a full disk is asked again */

struct weir_spool {
	struct weir_store *store;
	uint64_t allocated; /* offset up to which space is ours */
	uint64_t keep;
	uint64_t full_until;
	int full_error;
	uint64_t limit;	      /* of the file's size; 0: none */
	bool limited;	      /* something was refused because of it */
	bool cannot_allocate; /* this file system does not know how */
};

int weir_spool_open(const char *path, struct weir_spool **ret_spool)
{
	struct weir_spool *spool = calloc(1, sizeof(*spool));
	int err;

	if (!spool)
		return -ENOMEM;
	err = weir_store_create(path, &spool->store);
	if (err) {
		free(spool);
		return err;
	}
	spool->keep = KEEP;
	/* Now, while there is room: the first blocks may come too late. */
	weir_spool_make_room(spool, 0);
	*ret_spool = spool;
	return 0;
}

void weir_spool_close(struct weir_spool *spool)
{
	uint64_t end;

	if (!spool)
		return;
	end = weir_store_bytes(spool->store);
	if (spool->allocated > end &&
	    ftruncate(weir_store_fd(spool->store), (off_t)end))
		spool->allocated = 0; /* some space stays unused: no harm */
	weir_store_close(spool->store);
	free(spool);
}

struct weir_store *weir_spool_store(struct weir_spool *spool)
{
	return spool->store;
}

void weir_spool_replace(struct weir_spool *spool, struct weir_store *store)
{
	weir_store_close(spool->store);
	spool->store = store;
	spool->allocated = 0;
	weir_spool_make_room(spool, 0);
}

void weir_spool_keep(struct weir_spool *spool, uint64_t bytes)
{
	spool->keep = KEEP + bytes;
}

void weir_spool_set_limit(struct weir_spool *spool, uint64_t bytes)
{
	spool->limit = bytes;
}

bool weir_spool_is_limited(const struct weir_spool *spool)
{
	return spool->limited;
}

/* A kernel looks long for room that is not there: not for every chunk. */
static int note_full(struct weir_spool *spool, int err)
{
	spool->full_error = err;
	spool->full_until = weir_clock_ns(CLOCK_MONOTONIC) + PAUSE;
	return err;
}

static int allocate(struct weir_spool *spool, uint64_t from, uint64_t to)
{
	if (fallocate(weir_store_fd(spool->store), FALLOC_FL_KEEP_SIZE,
		      (off_t)from, (off_t)(to - from)))
		return -errno;
	spool->allocated = to;
	return 0;
}

int weir_spool_make_room(struct weir_spool *spool, uint64_t payload)
{
	uint64_t end = weir_store_bytes(spool->store);
	uint64_t need =
		end + sizeof(struct weir_block) + payload + 8 + spool->keep;
	uint64_t from = spool->allocated > end ? spool->allocated : end;
	int err;

	if (spool->limit && end + payload > spool->limit) {
		spool->limited = true;
		return -EFBIG;
	}
	if (need <= spool->allocated || spool->cannot_allocate)
		return 0;
	if (spool->full_until > weir_clock_ns(CLOCK_MONOTONIC))
		return spool->full_error;
	if (!allocate(spool, from, need + AHEAD))
		return 0;
	err = allocate(spool, from, need);
	if (err == -EOPNOTSUPP || err == -ENOSYS || err == -EINVAL) {
		spool->cannot_allocate = true;
		return 0;
	}
	return err ? note_full(spool, err) : 0;
}
