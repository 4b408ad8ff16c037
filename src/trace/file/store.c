/* SPDX-License-Identifier: BSD-3-Clause */
/* Appends blocks to a .weir file that is always a row of whole blocks. */
#include "trace/file/store.h"

#include "base/hash.h"
#include "trace/file/order.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

_Static_assert(sizeof(struct weir_block) == 64, "block header");
_Static_assert(offsetof(struct weir_block, head_check) == 52, "head check");

struct weir_store {
	int fd;
	uint64_t bytes;
};

int weir_store_create(const char *path, struct weir_store **ret_store)
{
	int fd = open(path,
		      O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

	int err;

	if (fd < 0)
		return -errno;
	err = weir_store_adopt(fd, ret_store);
	if (err)
		unlink(path); /* an empty file would tell of a trace */
	return err;
}

int weir_store_adopt(int fd, struct weir_store **ret_store)
{
	struct weir_store *store = malloc(sizeof(*store));
	struct stat st;
	int err = -ENOMEM;

	if (!store)
		goto close_fd;
	if (fstat(fd, &st) < 0) {
		err = -errno;
		goto free_store;
	}
	store->fd = fd;
	store->bytes = (uint64_t)st.st_size & ~UINT64_C(7);
	*ret_store = store;
	return 0;

free_store:
	free(store);
close_fd:
	close(fd);
	return err;
}

static void seal_head(struct weir_block *head, const void *payload)
{
	weir_order_mark(head);
	head->check = weir_hash_bytes(payload, head->stored);
	head->head_check = (uint32_t)weir_hash_bytes(
		head, offsetof(struct weir_block, head_check));
}

/* A short write means a full disk, but not what kind of full: ask again. */
static int write_rest(int fd, struct iovec *iov, int n, uint64_t at)
{
	while (n) {
		ssize_t wrote = pwritev(fd, iov, n, (off_t)at);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return -errno;
		if (!wrote)
			return -ENOSPC;
		at += (uint64_t)wrote;
		while (n && (size_t)wrote >= iov->iov_len) {
			wrote -= (ssize_t)iov->iov_len;
			iov++;
			n--;
		}
		if (n) {
			iov->iov_base = (char *)iov->iov_base + wrote;
			iov->iov_len -= (size_t)wrote;
		}
	}
	return 0;
}

int weir_store_append(struct weir_store *store, struct weir_block *head,
		      const void *payload)
{
	static const uint8_t zeros[8];
	size_t padding = -(size_t)head->stored & 7;
	struct iovec iov[] = {
		{ head, sizeof(*head) },
		{ (void *)(uintptr_t)payload, head->stored },
		{ (void *)(uintptr_t)zeros, padding },
	};
	int err;

	if (head->stored > WEIR_BLOCK_MAX_STORED)
		return -EFBIG;
	seal_head(head, payload);
	err = write_rest(store->fd, iov, padding ? 3 : 2, store->bytes);
	if (err) {
		/*
		 * If even this fails the torn block stays; the next append
		 * overwrites it, and a reader takes it for a damaged one.
		 */
		if (ftruncate(store->fd, (off_t)store->bytes) < 0)
			return err;
		return err;
	}
	store->bytes += sizeof(*head) + head->stored + padding;
	return 0;
}

uint64_t weir_store_bytes(const struct weir_store *store)
{
	return store->bytes;
}

int weir_store_fd(const struct weir_store *store)
{
	return store->fd;
}

void weir_store_close(struct weir_store *store)
{
	if (!store)
		return;
	close(store->fd);
	free(store);
}
