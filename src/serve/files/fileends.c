/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds where files end. What appends were given meanwhile is in `kept->end`.
 */
#include "serve/files/fileends.h"

#include "serve/files/backing.h"
#include "wire/op.h"

#include <errno.h>
#include <unistd.h>

static uint64_t ask_index(struct weir_file *file)
{
	uint64_t end;

	pthread_mutex_lock(&file->lock);
	end = weir_index_end(file->index);
	pthread_mutex_unlock(&file->lock);
	return end;
}

/* The index first: what leaves it is in the file then. */
int weir_fileends_ask(struct weir_file *file, uint64_t *ret_end)
{
	struct weir_backend_extent extent;
	uint64_t end = ask_index(file), size;
	int err = weir_backing_extent(file, &extent);

	if (err)
		return err;
	size = extent.size > 0 ? (uint64_t)extent.size : 0;
	*ret_end = size > end ? size : end;
	return 0;
}

/* The file is locked. The promise first: a daemon may die in between. */
static int promise_end(struct weir_file *file, uint64_t end,
		       const struct weir_fileends_claim *claim,
		       uint64_t *ret_offset)
{
	uint64_t kept = atomic_load(&file->kept->end);

	/* the kernel appends to it: it alone may say where */
	if (file->is_turning || file->kept->is_bypassed)
		return -EBUSY;
	if (kept > end)
		end = kept;
	if (end > WEIR_OP_OFF_MOST || claim->total > WEIR_OP_OFF_MOST - end)
		return -EFBIG;
	atomic_store(claim->promise, end + 1);
	atomic_store(&file->kept->end, end + claim->total);
	file->appends++;
	*ret_offset = end;
	return 0;
}

static uint64_t renew_promise(struct weir_file *file,
			      const struct weir_fileends_claim *claim)
{
	uint64_t offset = atomic_load(claim->promise) - 1;

	pthread_mutex_lock(&file->lock);
	if (atomic_load(&file->kept->end) < offset + claim->total)
		atomic_store(&file->kept->end, offset + claim->total);
	file->appends++;
	pthread_mutex_unlock(&file->lock);
	return offset;
}

/* A truncation that is under way has the file's `staging`. */
static uint32_t wait_for_cuts(struct weir_file *file)
{
	uint32_t cuts;

	pthread_mutex_lock(&file->lock);
	cuts = file->cuts;
	pthread_mutex_unlock(&file->lock);
	if (cuts % 2) {
		pthread_mutex_lock(&file->staging);
		pthread_mutex_unlock(&file->staging);
	}
	return cuts;
}

static int try_to_give(struct weir_file *file,
		       const struct weir_fileends_claim *claim,
		       uint64_t *ret_offset)
{
	uint32_t cuts = wait_for_cuts(file);
	uint64_t end;
	int err = weir_fileends_ask(file, &end);

	if (err)
		return err;
	pthread_mutex_lock(&file->lock);
	if (cuts % 2 || cuts != file->cuts)
		err = -EAGAIN;
	else
		err = promise_end(file, end, claim, ret_offset);
	pthread_mutex_unlock(&file->lock);
	return err;
}

int weir_fileends_give(struct weir_file *file,
		       const struct weir_fileends_claim *claim,
		       uint64_t *ret_offset)
{
	int err;

	if (claim->is_again && atomic_load(claim->promise)) {
		*ret_offset = renew_promise(file, claim);
		return 0;
	}
	do
		err = try_to_give(file, claim, ret_offset);
	while (err == -EAGAIN);
	return err;
}

void weir_fileends_done(struct weir_file *file)
{
	pthread_mutex_lock(&file->lock);
	file->appends--;
	pthread_mutex_unlock(&file->lock);
}

void weir_fileends_wait(struct weir_file *file)
{
	uint32_t appends;

	for (;;) {
		pthread_mutex_lock(&file->lock);
		appends = file->appends;
		pthread_mutex_unlock(&file->lock);
		if (!appends)
			return;
		usleep(100);
	}
}

void weir_fileends_return(struct weir_file *file, uint64_t offset,
			  uint64_t total)
{
	pthread_mutex_lock(&file->lock);
	if (atomic_load(&file->kept->end) == offset + total)
		atomic_store(&file->kept->end, offset);
	pthread_mutex_unlock(&file->lock);
}
