/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites the RING blocks of a raw file: descriptors and names for handles. */
#include "trace/pack/packring.h"

#include "spec/ring.h"
#include "trace/file/blocks.h"
#include "trace/file/ringblock.h"

#include <errno.h>
#include <stdbool.h>

#define MOST_NAMES (4u << 20) /* bytes in a block: more begin another one */

/* A block being made of a raw one. */
struct maker {
	struct weir_packwork *work;
	struct weir_handles *handles;
	uint32_t number;
	struct weir_ringblock_head head;
	struct weir_bytes records, names;
	struct weir_map handle_of; /* fd to handle, as told in `names` */
	uint64_t position;	   /* of the last name told */
	uint64_t us;		   /* from head.base to the last record */
	bool after_place;	   /* the next record belongs to the last */
};

static void begin_block(struct maker *maker, uint64_t sequence, uint64_t base)
{
	maker->head.sequence = maker->position = sequence;
	maker->head.base = base;
	maker->head.records = 0;
	maker->us = 0;
	maker->records.used = maker->names.used = 0;
	weir_map_fini(&maker->handle_of);
	maker->handle_of = (struct weir_map){ 0 };
}

static int write_block(struct maker *maker)
{
	struct weir_bytes *payload = &maker->work->out.payload;
	struct weir_block block = {
		.type = WEIR_BLOCK_RING,
		.proc = maker->number,
	};
	struct weir_ringblock_extent extent;
	struct weir_ringblock made;
	int err;

	if (!maker->head.records)
		return 0;
	payload->used = 0;
	err = weir_bytes_add(payload, &maker->head, sizeof(maker->head));
	if (!err)
		err = weir_bytes_add(payload, maker->records.data,
				     maker->records.used);
	if (!err && maker->names.used)
		err = weir_bytes_add(payload, maker->names.data,
				     maker->names.used);
	if (!err)
		err = weir_ringblock_parse(payload->data, payload->used, &made);
	if (err)
		return err;
	extent = weir_ringblock_measure(&made);
	block.stored = (uint32_t)payload->used;
	block.count = extent.events;
	block.first = extent.first;
	block.last = extent.last;
	maker->work->out.events += extent.events;
	return weir_store_append(maker->work->out.store, &block,
				 payload->data);
}

/* Tells what fd stands for from this record on. */
static int add_name(struct maker *maker, uint64_t position,
		    const struct weir_event *who)
{
	struct weir_ringblock_name name = {
		.position = position,
		.fd = who->fd,
		.handle = who->handle,
	};

	name.text = (const uint8_t *)weir_names_get(maker->handles->names,
						    who->file, &name.length);
	if (!name.text)
		name.length = 0;
	return weir_ringblock_add_name(&maker->names, &maker->position, &name);
}

/* Finds out whose record it is, and tells it if that is news. */
static int tell_who(struct maker *maker, uint64_t position, uint64_t what,
		    int32_t *ret_fd)
{
	uint32_t who =
		(uint32_t)(what >> WEIR_RING_WHO_SHIFT) & WEIR_RING_WHO_MASK;
	struct weir_event event = { .fd = (int32_t)(who << 2) >> 2 };
	uint64_t key, known;
	int err = 0;

	if (!(what & WEIR_RING_BARE)) {
		event.handle = who;
		err = weir_handles_apply(maker->handles, &event, NULL);
	}
	if (err)
		return err;
	*ret_fd = event.fd;
	key = (uint32_t)event.fd;
	known = weir_map_get(&maker->handle_of, key);
	if (known == event.handle)
		return 0;
	if (event.handle)
		err = weir_map_put(&maker->handle_of, key, event.handle);
	else
		weir_map_remove(&maker->handle_of, key);
	return err ? err : add_name(maker, position, &event);
}

/* A place of a descriptor that nobody knows is no more than its gap. */
static struct weir_ring_record form_of(struct weir_ring_record record,
				       int32_t fd)
{
	if (fd == -1 && weir_ringblock_is_place(&record)) {
		record.data = weir_ringblock_gap(&record);
		record.what = WEIR_RING_FILLER;
	}
	record.what = (record.what & UINT32_MAX) |
		      (uint64_t)(uint32_t)fd << WEIR_RING_WHO_SHIFT;
	return record;
}

static int add_record(struct maker *maker, uint64_t position,
		      struct weir_ring_record record)
{
	int32_t fd = -1;
	int err = 0;

	if (maker->names.used > MOST_NAMES && !maker->after_place) {
		err = write_block(maker);
		begin_block(maker, position,
			    weir_ringblock_tick(&maker->head, maker->us));
	}
	if (!err && !weir_ringblock_is_gap(&record))
		err = tell_who(maker, position, record.what, &fd);
	if (err)
		return err;
	maker->us += weir_ringblock_gap(&record);
	maker->after_place = weir_ringblock_is_place(&record);
	record = form_of(record, fd);
	maker->head.records++;
	return weir_bytes_add(&maker->records, &record, sizeof(record));
}

static int rewrite(struct maker *maker, const struct weir_ringblock *from,
		   uint64_t next)
{
	uint64_t first = from->head.sequence, us = 0, i = 0;
	int err = 0;

	for (; i < from->head.records && first + i < next; i++)
		us += weir_ringblock_gap(&from->records[i]);
	maker->head.mult = from->head.mult;
	begin_block(maker, first + i, weir_ringblock_tick(&from->head, us));
	for (; !err && i < from->head.records; i++)
		err = add_record(maker, first + i, from->records[i]);
	return err ? err : write_block(maker);
}

/* One that has its names already stays as it is. */
static int copy_ring(struct weir_packwork *work, uint32_t number,
		     const struct weir_block *head)
{
	struct weir_block block = {
		.type = WEIR_BLOCK_RING,
		.stored = (uint32_t)work->chunk.used,
		.proc = number,
		.count = head->count,
		.first = head->first,
		.last = head->last,
	};

	work->out.events += head->count;
	return weir_store_append(work->out.store, &block, work->chunk.data);
}

int weir_packring_take(struct weir_packwork *work,
		       struct weir_packprocess *process, uint32_t number,
		       const struct weir_blocks_found *found)
{
	struct maker maker = {
		.work = work,
		.handles = &process->handles,
		.number = number,
	};
	struct weir_ringblock from;
	int err = weir_blocks_load(work->inputs[work->input_count - 1], found,
				   &work->out.columns.planes.zip, &work->chunk);

	if (!err)
		err = weir_ringblock_parse(work->chunk.data, work->chunk.used,
					   &from);
	if (err || from.head.sequence + from.head.records <=
			   process->ring_next)
		return err;
	if (found->head.flags & WEIR_RING_HANDLES)
		err = rewrite(&maker, &from, process->ring_next);
	else
		err = copy_ring(work, number, &found->head);
	process->ring_next = from.head.sequence + from.head.records;
	weir_bytes_fini(&maker.records);
	weir_bytes_fini(&maker.names);
	weir_map_fini(&maker.handle_of);
	return err;
}
