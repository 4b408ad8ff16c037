/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the whole blocks of a .weir file and steps over damage. */
#include "trace/file/blocks.h"

#include "base/hash.h"
#include "base/whole.h"
#include "trace/file/order.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_BYTES sizeof(struct weir_block)

/*
 * Small blocks come several to a window; of large ones little is read in
 * vain. When looking for the next magic the windows are larger.
 */
#define WINDOW        16384
#define SEARCH_WINDOW (256u << 10)

void weir_blocks_init(struct weir_blocks *blocks, int fd)
{
	*blocks = (struct weir_blocks){ .fd = fd };
}

void weir_blocks_fini(struct weir_blocks *blocks)
{
	weir_bytes_fini(&blocks->window);
}

/* Gives `need` bytes at an offset; fewer only at the end of the file. */
static ssize_t see_bytes(struct weir_blocks *blocks, uint64_t at, size_t need,
			 size_t window, const uint8_t **ret_bytes)
{
	struct weir_bytes *have = &blocks->window;
	uint64_t skip = at - blocks->window_at;
	ssize_t got;
	int err;

	if (at < blocks->window_at || skip > have->used ||
	    have->used - skip < need) {
		/* What lies behind the end may still change: not to be kept. */
		if (window > blocks->end - at)
			window = blocks->end - at;
		have->used = 0;
		err = weir_bytes_reserve(have, window);
		if (err)
			return err;
		got = weir_whole_fill_at(blocks->fd, have->data, window, at);
		if (got < 0)
			return got;
		have->used = (size_t)got;
		blocks->window_at = at;
		skip = 0;
	}
	*ret_bytes = have->data + skip;
	return (ssize_t)(have->used - skip);
}

/* 1 and the header in the order of this machine, or 0: it is not sound. */
static int take_head(const uint8_t *bytes, struct weir_block *ret_head)
{
	uint32_t check;

	if (!weir_order_is_magic(bytes, 8))
		return 0;
	memcpy(ret_head, bytes, HEAD_BYTES);
	check = (uint32_t)weir_hash_bytes(
		bytes, offsetof(struct weir_block, head_check));
	if (weir_order_is_other(ret_head))
		weir_order_turn_head(ret_head);
	return ret_head->head_check == check &&
	       ret_head->stored <= WEIR_BLOCK_MAX_STORED &&
	       ret_head->raw <= WEIR_BLOCK_MAX_RAW;
}

static uint64_t block_bytes(const struct weir_block *head)
{
	return HEAD_BYTES + (((uint64_t)head->stored + 7) & ~UINT64_C(7));
}

static int file_end(int fd, uint64_t *ret_end)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	*ret_end = (uint64_t)st.st_size;
	return 0;
}

/* 1 and the header at an offset, 0 when it is not sound, or -errno. */
static int sound_head_at(struct weir_blocks *blocks, uint64_t at,
			 struct weir_block *ret_head)
{
	const uint8_t *bytes;
	ssize_t n = see_bytes(blocks, at, HEAD_BYTES, WINDOW, &bytes);

	if (n < 0)
		return (int)n;
	if ((size_t)n < HEAD_BYTES)
		return 0;
	return take_head(bytes, ret_head);
}

/*
 * Finds the next sound header after a damaged one. Returns 1 with `ret_at` at
 * it, or 0 with `ret_at` where a search in a longer file has to go on.
 */
static int find_head(struct weir_blocks *blocks, uint64_t at, uint64_t end,
		     uint64_t *ret_at)
{
	struct weir_block head;
	const uint8_t *bytes;
	ssize_t n;

	for (; at + HEAD_BYTES <= end; at += 8) {
		n = see_bytes(blocks, at, HEAD_BYTES, SEARCH_WINDOW, &bytes);
		if (n < 0)
			return (int)n;
		if ((size_t)n < HEAD_BYTES)
			break;
		if (!take_head(bytes, &head))
			continue;
		*ret_at = at;
		return 1;
	}
	*ret_at = at;
	return 0;
}

static void step_over(struct weir_blocks *blocks, uint64_t to)
{
	if (to <= blocks->at)
		return;
	blocks->damaged_bytes += to - blocks->at;
	blocks->damaged_places++;
	blocks->at = to;
}

int weir_blocks_next(struct weir_blocks *blocks, uint64_t end,
		     struct weir_blocks_found *ret_found)
{
	uint64_t file = 0, at = 0;
	int err = file_end(blocks->fd, &file);

	if (err)
		return err;
	if (end > file)
		end = file;
	blocks->end = end;
	while (blocks->at < end && end - blocks->at >= HEAD_BYTES) {
		struct weir_block head;
		int sound = sound_head_at(blocks, blocks->at, &head);

		if (sound < 0)
			return sound;
		if (sound && block_bytes(&head) > end - blocks->at)
			return 0;
		if (sound) {
			ret_found->head = head;
			ret_found->at = blocks->at;
			blocks->at += block_bytes(&head);
			return 1;
		}
		sound = find_head(blocks, blocks->at + 8, end, &at);
		if (sound < 0)
			return sound;
		step_over(blocks, at);
	}
	return 0;
}

int weir_blocks_close_tail(struct weir_blocks *blocks)
{
	uint64_t end = 0;
	int err = file_end(blocks->fd, &end);

	if (!err)
		step_over(blocks, end);
	return err;
}

int weir_blocks_each(struct weir_blocks *blocks,
		     int (*take)(void *data,
				 const struct weir_blocks_found *found),
		     void *data)
{
	struct weir_blocks_found found;
	int more, err;

	while ((more = weir_blocks_next(blocks, UINT64_MAX, &found)) > 0) {
		err = take(data, &found);
		if (err)
			return err;
	}
	return more ? more : weir_blocks_close_tail(blocks);
}

static int unpack_whole(struct weir_zip *zip, const struct weir_block *head,
			struct weir_bytes *bytes)
{
	struct weir_bytes raw = { 0 };
	int err;

	if (head->raw / WEIR_BLOCKS_MOST_RATIO > head->stored)
		return -EBADMSG;
	err = weir_bytes_reserve(&raw, head->raw);
	if (!err)
		err = weir_zip_expand(zip, bytes->data, bytes->used, raw.data,
				      head->raw);
	if (err) {
		weir_bytes_fini(&raw);
		return err;
	}
	raw.used = head->raw;
	weir_bytes_fini(bytes);
	*bytes = raw;
	return 0;
}

int weir_blocks_at(int fd, uint64_t at, struct weir_blocks_found *ret_found)
{
	uint8_t bytes[HEAD_BYTES];
	ssize_t got = weir_whole_fill_at(fd, bytes, sizeof(bytes), at);

	if (got < 0)
		return (int)got;
	if ((size_t)got < sizeof(bytes) || !take_head(bytes, &ret_found->head))
		return -EBADMSG;
	ret_found->at = at;
	return 0;
}

int weir_blocks_peek(int fd, const struct weir_blocks_found *found, void *to,
		     size_t len)
{
	const struct weir_block *head = &found->head;
	ssize_t got = weir_whole_fill_at(
		fd, to, len < head->stored ? len : head->stored,
		found->at + HEAD_BYTES);

	if (got < 0)
		return (int)got;
	memset((uint8_t *)to + got, 0, len - (size_t)got);
	if (weir_order_is_other(head))
		weir_order_turn_payload(head->type, to, len);
	return 0;
}

int weir_blocks_load(int fd, const struct weir_blocks_found *found,
		     struct weir_zip *zip, struct weir_bytes *to)
{
	const struct weir_block *head = &found->head;
	ssize_t got;
	int err;

	to->used = 0;
	err = weir_bytes_reserve(to, head->stored);
	if (err)
		return err;
	got = weir_whole_fill_at(fd, to->data, head->stored,
				 found->at + HEAD_BYTES);
	if (got < 0)
		return (int)got;
	if ((size_t)got != head->stored ||
	    weir_hash_bytes(to->data, head->stored) != head->check)
		return -EBADMSG;
	to->used = head->stored;
	if (head->raw)
		err = unpack_whole(zip, head, to);
	if (!err && weir_order_is_other(head))
		weir_order_turn_payload(head->type, to->data, to->used);
	return err;
}
