/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes a packed file apart by process, to append it to other files. */
#include "trace/file/portions.h"

#include "base/grow.h"
#include "base/hash.h"
#include "base/whole.h"
#include "trace/facts/procinfo.h"
#include "trace/facts/props.h"
#include "trace/file/blocks.h"
#include "trace/file/order.h"
#include "trace/file/store.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every part ends with a block of this size, so that the end is found. */
#define END_BYTES 128

struct weir_portions {
	int fd;
	struct weir_blocks_found *blocks; /* by process, then by place */
	uint32_t block_count, block_room;
	uint32_t *begins; /* of each part in `blocks`, and the end */
	uint32_t count;
	struct weir_blocks_found head, dict, node, plan; /* type 0: none */
	struct weir_bytes scratch;
	struct weir_zip zip;
};

void weir_portions_close(struct weir_portions *parts)
{
	if (!parts)
		return;
	close(parts->fd);
	free(parts->blocks);
	free(parts->begins);
	weir_bytes_fini(&parts->scratch);
	weir_zip_fini(&parts->zip);
	free(parts);
}

static int keep_block(struct weir_portions *parts,
		      const struct weir_blocks_found *found)
{
	if (WEIR_GROW(parts->blocks, parts->block_count, parts->block_room))
		return -ENOMEM;
	parts->blocks[parts->block_count++] = *found;
	return 0;
}

static int sort_out(struct weir_portions *parts,
		    const struct weir_blocks_found *found)
{
	switch (found->head.type) {
	case WEIR_BLOCK_HEAD:
		parts->head = *found;
		return 0;
	case WEIR_BLOCK_DICT:
		parts->dict = *found;
		return 0;
	case WEIR_BLOCK_NODE:
		parts->node = *found;
		return 0;
	case WEIR_BLOCK_PLAN:
		parts->plan = *found;
		return 0;
	case WEIR_BLOCK_NAMES: /* proc 0: every part has its own copy */
	case WEIR_BLOCK_PROC:
	case WEIR_BLOCK_EVENTS:
	case WEIR_BLOCK_RING:
		return keep_block(parts, found);
	}
	return 0;
}

static int by_process(const void *left, const void *right)
{
	const struct weir_blocks_found *a = left, *b = right;

	if (a->head.proc != b->head.proc)
		return a->head.proc < b->head.proc ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Notes where each process begins; NAMES, of process 0, come before all. */
static int find_parts(struct weir_portions *parts)
{
	parts->begins = malloc((parts->block_count + 2) *
			       sizeof(*parts->begins));
	if (!parts->begins)
		return -ENOMEM;
	if (parts->block_count)
		qsort(parts->blocks, parts->block_count,
		      sizeof(*parts->blocks), by_process);
	for (uint32_t i = 0; i < parts->block_count; i++) {
		uint32_t proc = parts->blocks[i].head.proc;

		if (proc && (!i || proc != parts->blocks[i - 1].head.proc))
			parts->begins[parts->count++] = i;
	}
	parts->begins[parts->count] = parts->block_count;
	if (!parts->count)
		parts->begins[++parts->count] = parts->block_count;
	return 0;
}

int weir_portions_open(int fd, struct weir_portions **ret_parts)
{
	struct weir_portions *parts = calloc(1, sizeof(*parts));
	struct weir_blocks_found found;
	struct weir_blocks blocks;
	int more, err = 0;

	if (!parts) {
		close(fd);
		return -ENOMEM;
	}
	parts->fd = fd;
	weir_blocks_init(&blocks, fd);
	while (!err &&
	       (more = weir_blocks_next(&blocks, UINT64_MAX, &found)) > 0)
		err = sort_out(parts, &found);
	weir_blocks_fini(&blocks);
	err = err ?: more;
	err = err ?: find_parts(parts);
	if (err) {
		weir_portions_close(parts);
		return err;
	}
	*ret_parts = parts;
	return 0;
}

uint32_t weir_portions_count(const struct weir_portions *parts)
{
	return parts->count;
}

static int read_stored(const struct weir_portions *parts,
		       const struct weir_blocks_found *found,
		       struct weir_bytes *to)
{
	int err;

	to->used = 0;
	err = weir_bytes_reserve(to, found->head.stored + 1);
	err = err
		      ?: weir_whole_read_at(parts->fd, to->data,
					    found->head.stored,
					    found->at + sizeof(found->head));
	if (!err)
		to->used = found->head.stored;
	if (!err && weir_hash_bytes(to->data, to->used) != found->head.check)
		err = -EBADMSG;
	return err;
}

/* As it is, but for the process, which is the only one of its part. */
static int copy_block_as_is(struct weir_portions *parts,
			    const struct weir_blocks_found *found,
			    uint32_t flags, struct weir_store *store)
{
	struct weir_block block = found->head;
	int err;

	if (!block.type)
		return 0;
	err = read_stored(parts, found, &parts->scratch);
	block.proc = block.proc ? 1 : 0;
	block.flags |= flags;
	return err ?: weir_store_append(store, &block, parts->scratch.data);
}

static int copy_process(struct weir_portions *parts, uint32_t part,
			struct weir_store *store, uint64_t *ret_events)
{
	bool has_events = false;
	uint64_t count = 0;
	int err = 0;

	for (uint32_t i = parts->begins[part];
	     !err && i < parts->begins[part + 1]; i++) {
		const struct weir_block *head = &parts->blocks[i].head;

		has_events |= head->type == WEIR_BLOCK_EVENTS;
		count += head->type == WEIR_BLOCK_PROC ? 0 : head->count;
		err = copy_block_as_is(parts, &parts->blocks[i], 0, store);
	}
	/* Only EVENTS use them: a RING has its own. */
	for (uint32_t i = 0; !err && has_events && i < parts->begins[0]; i++)
		err = copy_block_as_is(parts, &parts->blocks[i], 0, store);
	*ret_events = count;
	return err;
}

/* Always of the same size: what is missing is filled up. */
static int put_end(struct weir_store *store, uint64_t events)
{
	static const char pad[] = "pad=";
	char text[END_BYTES + 1];
	struct weir_block block = {
		.type = WEIR_BLOCK_END,
		.stored = END_BYTES,
	};
	struct weir_props props;
	int err;

	weir_props_init(&props);
	err = weir_props_add_number(&props, "events", events);
	err = err ?: weir_props_add_number(&props, "procs", 1);
	err = err ?: weir_props_add_text(&props, "complete", "yes");
	if (!err && props.used + sizeof(pad) > END_BYTES)
		err = -EOVERFLOW;
	if (!err) {
		memset(text, '0', END_BYTES);
		memcpy(text, props.text, props.used);
		memcpy(text + props.used, pad, sizeof(pad) - 1);
		text[END_BYTES - 1] = '\n';
		err = weir_store_append(store, &block, text);
	}
	weir_props_fini(&props);
	return err;
}

int weir_portions_put(struct weir_portions *parts, uint32_t part,
		   struct weir_store *store)
{
	bool is_first = !weir_store_bytes(store);
	uint64_t events = 0;
	int err;

	err = copy_block_as_is(parts, &parts->head, WEIR_HEAD_PART, store);
	if (is_first)
		err = err ?: copy_block_as_is(parts, &parts->dict, 0, store);
	err = err ?: copy_process(parts, part, store, &events);
	if (!part)
		err = err ?: copy_block_as_is(parts, &parts->node, 0, store) ?:
			     copy_block_as_is(parts, &parts->plan, 0, store);
	return err ?: put_end(store, events);
}

uint32_t weir_portions_pid(const struct weir_portions *parts, uint32_t part)
{
	struct weir_bytes text = {0};
	struct weir_zip zip = {0};
	uint32_t pid = 0;

	for (uint32_t i = parts->begins[part]; i < parts->begins[part + 1];
	     i++) {
		struct weir_procinfo info;

		if (parts->blocks[i].head.type != WEIR_BLOCK_PROC ||
		    weir_blocks_load(parts->fd, &parts->blocks[i], &zip,
				     &text) ||
		    weir_procinfo_parse(text.data, text.used, &info))
			continue;
		pid = info.pid;
		weir_procinfo_fini(&info);
	}
	weir_bytes_fini(&text);
	weir_zip_fini(&zip);
	return pid;
}

/* Whether the file ends with the END of a part, whole. */
static bool ends_well(int fd, uint64_t size)
{
	const uint64_t end = sizeof(struct weir_block) + END_BYTES;
	struct weir_blocks_found found;
	struct weir_bytes text = {0};
	struct weir_zip zip = {0};
	bool well;

	if (size < end || size % 8 || weir_blocks_at(fd, size - end, &found))
		return false;
	well = found.head.type == WEIR_BLOCK_END &&
	       found.head.stored == END_BYTES &&
	       !weir_blocks_load(fd, &found, &zip, &text);
	weir_bytes_fini(&text);
	weir_zip_fini(&zip);
	return well;
}

/* Somebody else's file is none to cut, whatever its name. */
static bool is_trace_file(int fd)
{
	uint8_t magic[sizeof(((struct weir_block *)0)->magic)];
	ssize_t got = pread(fd, magic, sizeof(magic), 0);

	return got > 0 && weir_order_is_magic(magic, (size_t)got);
}

int weir_portions_mend(int fd)
{
	struct weir_blocks_found found;
	struct weir_blocks blocks;
	bool has_dict = false;
	uint64_t end = 0;
	struct stat st;
	int more;

	if (fstat(fd, &st))
		return -errno;
	if (!st.st_size || ends_well(fd, (uint64_t)st.st_size))
		return 0;
	if (!is_trace_file(fd))
		return -EBADMSG;
	weir_blocks_init(&blocks, fd);
	while ((more = weir_blocks_next(&blocks, UINT64_MAX, &found)) > 0) {
		has_dict |= found.head.type == WEIR_BLOCK_DICT;
		end = (found.at + sizeof(found.head) + found.head.stored + 7) &
		      ~UINT64_C(7);
	}
	weir_blocks_fini(&blocks);
	if (more < 0)
		return more;
	/* The first part brings the dictionary: without it, begin anew. */
	return ftruncate(fd, has_dict ? (off_t)end : 0) ? -errno : 0;
}
