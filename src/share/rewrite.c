/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites a packed file block by block. */
#include "share/rewrite.h"

#include "base/varint.h"
#include "share/parts.h"
#include "share/mask/maskdetail.h"
#include "share/mask/maskprofile.h"
#include "trace/file/blocks.h"
#include "trace/event/dictionary.h"
#include "trace/facts/nodeinfo.h"
#include "trace/pack/packout.h"
#include "trace/file/ringblock.h"
#include "trace/file/rows.h"
#include "trace/layout/sum_layout.h"

#include <errno.h>

/* Hidden names are longer: a block of them may become several. */
#define NAMES_BYTES (256u << 10)

/* A file on its way. */
struct way {
	struct weir_rewrite *job;
	int fd;				    /* borrowed */
	struct weir_dictionary *dictionary; /* NULL: there is none */
	struct weir_packout out;
	struct weir_rows rows;
	struct weir_zip zip;
	struct weir_bytes payload, made;
	int has_head, has_end;
	uint32_t begins; /* a part has, and brought no dictionary yet */
};

static void fini(struct way *way)
{
	weir_dictionary_free(way->dictionary);
	way->out.store = NULL; /* the caller's */
	weir_packout_fini(&way->out);
	weir_rows_fini(&way->rows);
	weir_zip_fini(&way->zip);
	weir_bytes_fini(&way->payload);
	weir_bytes_fini(&way->made);
}

static int load(struct way *way, const struct weir_blocks_found *found)
{
	return weir_blocks_load(way->fd, found, &way->zip, &way->payload);
}

static int take_head(struct way *way, struct weir_block *head)
{
	struct weir_nodeinfo info;
	int err = weir_nodeinfo_parse(way->payload.data, way->payload.used,
				      &info);

	way->begins |= head->flags & WEIR_HEAD_PART;
	if (way->job->as_part && !way->has_head)
		head->flags |= WEIR_HEAD_PART;
	way->has_head = 1;
	return err == -ENOTSUP ? err : 0;
}

/* A part may bring a dictionary of its own; its first counts. */
static int take_dictionary(struct way *way)
{
	struct weir_dictionary *dictionary = NULL;
	int err;

	if (!way->begins)
		return 0;
	err = weir_dictionary_parse(way->payload.data, way->payload.used,
				    &dictionary);
	if (err)
		return err;
	weir_dictionary_free(way->dictionary);
	way->dictionary = dictionary;
	way->begins = 0;
	return 0;
}

static int write_text(struct way *way, const struct weir_block *head)
{
	const struct weir_mask *mask = way->job->mask;
	const struct weir_bytes *text = &way->payload;
	struct weir_block made = {
		.type = head->type, .proc = head->proc, .flags = head->flags};
	int err = 0;

	if (head->type == WEIR_BLOCK_HEAD)
		err = take_head(way, &made);
	if (head->type == WEIR_BLOCK_DICT)
		err = take_dictionary(way);
	if (!err && mask) {
		way->made.used = 0;
		err = weir_masktext_write(mask, head->type, text, &way->made,
					  &way->job->account.unknown);
		text = &way->made;
	}
	if (err)
		return err;
	if (head->type != WEIR_BLOCK_END)
		return weir_packout_block(&way->out, &made, text);
	/* Its length may matter to who appends to the file. */
	way->has_end = 1;
	made.stored = (uint32_t)text->used;
	return weir_store_append(way->out.store, &made, text->data);
}

static int flush_names(struct way *way, struct weir_block *head)
{
	int err;

	if (!head->count)
		return 0;
	err = weir_packout_block(&way->out, head, &way->made);
	head->first += head->count;
	head->count = 0;
	way->made.used = 0;
	return err;
}

static int add_name(struct way *way, const uint8_t *name, size_t len)
{
	struct weir_bytes *hidden = &way->out.payload; /* free just now */
	int err;

	hidden->used = 0;
	if (way->job->mask)
		err = weir_mask_name(way->job->mask, name, len, hidden);
	else
		err = weir_bytes_add(hidden, name, len);
	if (!err)
		err = weir_bytes_add_varint(&way->made, hidden->used);
	return err ? err
		   : weir_bytes_add(&way->made, hidden->data, hidden->used);
}

/* A name that cannot be read ends the block, as it does for readers. */
static int write_names(struct way *way, const struct weir_block *from)
{
	struct weir_block head = {.type = WEIR_BLOCK_NAMES,
				  .first = from->first};
	const uint8_t *at = way->payload.data;
	size_t left = way->payload.used;
	int err = 0, whole = 1;

	way->made.used = 0;
	for (uint32_t i = 0; !err && whole && i < from->count; i++) {
		uint64_t len = 0;
		size_t n = weir_varint_get(at, left, &len);

		whole = n && len <= left - n;
		if (!whole)
			break;
		err = add_name(way, at + n, len);
		head.count++;
		at += n + len;
		left -= n + len;
		if (!err && way->made.used >= NAMES_BYTES)
			err = flush_names(way, &head);
	}
	if (!err)
		err = flush_names(way, &head);
	return err ? err : whole ? 0 : -EBADMSG;
}

static int hide_detail(struct way *way, struct weir_event *event)
{
	const struct weir_call *call;
	int unknown;

	if (!way->job->mask || !event->detail_len)
		return 0;
	if (event->call == WEIR_NOTE_SUM &&
	    event->detail_len == sizeof(struct weir_sum))
		return 0; /* numbers alone */
	call = weir_dictionary_call(way->dictionary, event->call);
	way->made.used = 0;
	unknown =
		weir_maskdetail_write(way->job->mask, event, call, &way->made);
	if (unknown < 0)
		return unknown;
	if (unknown && event->call < WEIR_NOTE_FIRST)
		way->job->account.unknown_details++;
	event->detail = way->made.data;
	event->detail_len = (uint32_t)way->made.used;
	return 0;
}

static int write_events(struct way *way, const struct weir_block *head)
{
	struct weir_packout_thread thread = {.proc = head->proc,
					     .thread = head->thread};
	int err = weir_rows_decode(&way->rows, way->payload.data,
				   way->payload.used, head->count);

	if (err)
		return err;
	thread.index = way->rows.first_index;
	for (uint32_t i = 0; !err && i < head->count; i++) {
		struct weir_event event = {0};

		weir_rows_next(&way->rows, &event);
		err = hide_detail(way, &event);
		if (!err)
			err = weir_packout_add(&way->out, &thread, &event);
	}
	return err ? err : weir_packout_flush(&way->out, &thread);
}

/* Its records stay as they are, its names are hidden like all others. */
static int write_ring(struct way *way, const struct weir_block *from)
{
	struct weir_bytes *hidden = &way->out.payload; /* free just now */
	struct weir_block head = *from;
	struct weir_ringblock_names walk;
	struct weir_ringblock_name name;
	struct weir_ringblock block;
	uint64_t position;
	int more = 0, err = weir_ringblock_parse(way->payload.data,
						 way->payload.used, &block);

	if (err)
		return err;
	way->made.used = 0;
	err = weir_bytes_add(&way->made, way->payload.data,
			     way->payload.used - block.names_bytes);
	weir_ringblock_start_names(&block, &walk);
	position = walk.position;
	while (!err && (more = weir_ringblock_next_name(&walk, &name)) > 0) {
		hidden->used = 0;
		if (name.text)
			err = weir_mask_name(way->job->mask, name.text,
					     name.length, hidden);
		name.text = hidden->data;
		name.length = hidden->used;
		err = err
			      ?: weir_ringblock_add_name(&way->made, &position,
							 &name);
	}
	err = err ?: more;
	head.stored = (uint32_t)way->made.used;
	head.raw = 0;
	way->out.events += head.count;
	return err ?: weir_store_append(way->out.store, &head, way->made.data);
}

/* Its numbers stay, its names are hidden. */
static int write_profile(struct way *way, const struct weir_block *from)
{
	struct weir_block head = *from;
	int err;

	way->made.used = 0;
	err = weir_maskprofile_write(way->job->mask, head.count, &way->payload,
				     &way->made);
	way->job->account.profiles += !err;
	return err ? err : weir_packout_block(&way->out, &head, &way->made);
}

/* Nobody knows what it tells: it stays as it is, or is left out. */
static int write_unknown(struct way *way, const struct weir_block *from)
{
	struct weir_block head = *from;

	if (way->job->mask) {
		way->job->account.unknown_blocks++;
		return 0;
	}
	if (head.raw) {
		head.raw = 0;
		return weir_packout_block(&way->out, &head, &way->payload);
	}
	return weir_store_append(way->out.store, &head, way->payload.data);
}

static int write_block(struct way *way, const struct weir_block *head)
{
	if (head->type == WEIR_BLOCK_EVENTS)
		return write_events(way, head);
	if (head->type == WEIR_BLOCK_NAMES)
		return write_names(way, head);
	if (head->type == WEIR_BLOCK_RING && way->job->mask)
		return write_ring(way, head);
	if (head->type == WEIR_BLOCK_PROFILE && way->job->mask)
		return write_profile(way, head);
	if (weir_masktext_knows(head->type))
		return write_text(way, head);
	return write_unknown(way, head);
}

/* What cannot be read is left out; so is what became too large. */
static int take_block(void *data, const struct weir_blocks_found *found)
{
	struct way *way = data;
	struct weir_rewrite_account *account = &way->job->account;
	int err = load(way, found);

	if (way->job->as_part && !way->has_head &&
	    (err || found->head.type != WEIR_BLOCK_HEAD))
		return -ENODATA; /* it would become one with what is before */
	if (!err)
		err = write_block(way, &found->head);
	if (err != -EBADMSG && err != -EFBIG)
		return err;
	account->damaged_blocks++;
	if (found->head.type == WEIR_BLOCK_EVENTS)
		account->damaged_events += found->head.count;
	return 0;
}

static int take_blocks(struct way *way)
{
	struct weir_rewrite_account *account = &way->job->account;
	struct weir_blocks blocks;
	int err;

	weir_blocks_init(&blocks, way->fd);
	err = weir_blocks_each(&blocks, take_block, way);
	account->damaged_blocks += blocks.damaged_places;
	account->damaged_bytes += blocks.damaged_bytes;
	weir_blocks_fini(&blocks);
	return err;
}

int weir_rewrite_file(struct weir_rewrite *job, int fd,
		      struct weir_store *store)
{
	struct way way = {.job = job, .fd = fd, .out.store = store};
	int err;

	way.out.columns.planes.zip.level = job->level;
	err = weir_parts_dictionary(fd, &way.dictionary);
	if (!err)
		err = take_blocks(&way);
	job->account.events += way.out.events;
	job->account.unended += !err && !way.has_end;
	fini(&way);
	return err;
}
