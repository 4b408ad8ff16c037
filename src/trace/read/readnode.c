/* SPDX-License-Identifier: BSD-3-Clause */
/* Indexes one packed file of a trace and keeps all but its events. */
#include "trace/read/readnode.h"

#include "base/grow.h"
#include "base/varint.h"
#include "trace/event/foretell.h"
#include "trace/facts/props.h"
#include "trace/file/ringblock.h"

#include <errno.h>
#include <stdlib.h>

#define MOST_PROCESSES (1u << 22)

void weir_readnode_close(struct weir_readnode *node)
{
	for (uint32_t i = 0; i < node->process_count; i++) {
		if (node->processes[i])
			weir_procinfo_fini(node->processes[i]);
		free(node->processes[i]);
	}
	free(node->processes);
	free(node->events);
	free(node->profiles);
	weir_numbering_fini(&node->file_of);
	weir_map_fini(&node->profile_of);
	weir_map_fini(&node->current_of);
	weir_mounts_fini(&node->mounts);
	weir_outcome_free(node->outcome);
	weir_readfile_fini(&node->file);
	*node = (struct weir_readnode){ 0 };
}

static int make_process_room(struct weir_readnode *node, uint32_t number)
{
	if (WEIR_GROW_TO(node->processes, number, node->process_room))
		return -ENOMEM;
	while (node->process_count < number)
		node->processes[node->process_count++] = NULL;
	return 0;
}

static int take_process(struct weir_readnode *node, uint32_t number,
			const struct weir_bytes *text)
{
	struct weir_procinfo *info, **at;
	int err;

	if (!number || number > MOST_PROCESSES)
		return -EBADMSG;
	err = make_process_room(node, number);
	if (err)
		return err;
	info = malloc(sizeof(*info));
	if (!info)
		return -ENOMEM;
	err = weir_procinfo_parse(text->data, text->used, info);
	if (err) {
		free(info);
		return err;
	}
	info->number = number;
	info->node = node->number;
	at = &node->processes[number - 1];
	if (*at)
		weir_procinfo_fini(*at);
	free(*at);
	*at = info;
	return 0;
}

static int take_head(struct weir_readnode *node, const struct weir_bytes *text)
{
	int err = weir_nodeinfo_parse(text->data, text->used, &node->info);

	if (err)
		return err;
	node->has_info = 1;
	weir_mounts_fini(&node->mounts);
	return weir_mounts_parse(text->data, text->used, &node->mounts);
}

static int take_names(struct weir_readnode *node, const struct weir_block *head,
		      const struct weir_bytes *payload)
{
	const uint8_t *at = payload->data;
	size_t left = payload->used;

	for (uint32_t i = 0; i < head->count; i++) {
		uint64_t len;
		uint32_t number = 0;
		size_t n = weir_varint_get(at, left, &len);
		int err;

		if (!n || len > left - n)
			return -EBADMSG;
		err = weir_names_add(&node->shelf->names, at + n, len,
				     &number);
		if (!err)
			err = weir_numbering_put(&node->file_of,
						 head->first + i, number);
		if (err)
			return err;
		at += n + len;
		left -= n + len;
	}
	return 0;
}

static int take_unrecorded(struct weir_readnode *node,
			   const struct weir_bytes *text)
{
	struct weir_unrecorded told;
	int err = weir_unrecorded_parse(text->data, text->used, &told);

	if (!err)
		weir_unrecorded_raise(&node->unrecorded, &told);
	return err;
}

static int take_dictionary(struct weir_readnode *node,
			   const struct weir_bytes *text)
{
	if (node->dictionary)
		return 0;
	return weir_readshelf_dictionary(node->shelf, text, &node->dictionary);
}

static int add_block(struct weir_readnode *node,
		     const struct weir_blocks_found *found,
		     uint32_t detail_bytes, uint64_t first_index)
{
	const struct weir_block *head = &found->head;
	int err;

	if (!head->proc || head->proc > MOST_PROCESSES ||
	    head->count > WEIR_EVENTS_MOST || head->raw ||
	    head->first > head->last)
		return -EBADMSG;
	err = WEIR_GROW(node->events, node->event_blocks, node->event_room);
	if (err)
		return err;
	node->events[node->event_blocks++] = (struct weir_readnode_block){
		.found = *found,
		.detail_bytes = detail_bytes,
		.first_index = first_index,
	};
	return make_process_room(node, head->proc);
}

/* Of the payload only how much it holds: see weir_readplan_share(). */
static int take_events(struct weir_readnode *node, int fd,
		       const struct weir_blocks_found *found)
{
	struct weir_events_head events;
	int err = weir_blocks_peek(fd, found, &events, sizeof(events));

	return err ? err : add_block(node, found, events.detail_bytes,
				     events.first_index);
}

/* To be read as events; what its header says of them is not believed. */
static int take_ring(struct weir_readnode *node, int fd,
		     const struct weir_blocks_found *found,
		     struct weir_bytes *payload)
{
	struct weir_blocks_found as_events = *found;
	struct weir_ringblock_extent extent;
	struct weir_ringblock block;
	int err;

	if (found->head.flags & WEIR_RING_HANDLES) {
		node->has_chunks = 1; /* to be packed first, like them */
		return 0;
	}
	err = weir_blocks_load(fd, found, &node->shelf->zip, payload);
	if (!err)
		err = weir_ringblock_parse(payload->data, payload->used,
					   &block);
	if (!err)
		err = weir_ringblock_number(&block, &node->shelf->names);
	if (err)
		return err;
	extent = weir_ringblock_measure(&block);
	as_events.head.count = extent.events;
	as_events.head.first = extent.first;
	as_events.head.last = extent.last;
	return extent.events ?
		       add_block(node, &as_events,
				 (uint32_t)weir_ringblock_detail(&block), 0) :
		       0;
}

/* The last of a process wins, and with it the CURRENT one behind it. */
static int take_profile(struct weir_readnode *node,
			const struct weir_blocks_found *found)
{
	uint32_t number = found->head.proc;
	int err;

	if (!number || number > MOST_PROCESSES)
		return -EBADMSG;
	if (WEIR_GROW(node->profiles, node->profile_count, node->profile_room))
		return -ENOMEM;
	node->profiles[node->profile_count++] =
		(struct weir_readnode_block){ .found = *found };
	if (found->head.flags & WEIR_PROFILE_CURRENT) {
		err = weir_map_put(&node->current_of, number,
				   node->profile_count);
	} else {
		err = weir_map_put(&node->profile_of, number,
				   node->profile_count);
		weir_map_remove(&node->current_of, number);
	}
	return err ? err : make_process_room(node, number);
}

/* How many calls there are, in events and in sums. */
static int take_end(struct weir_readnode *node, int fd,
		    const struct weir_blocks_found *found,
		    struct weir_bytes *text)
{
	int err = weir_blocks_load(fd, found, &node->shelf->zip, text);
	uint64_t events = 0, calls = 0;
	struct weir_props_walk walk;
	struct weir_props_line line;

	if (err)
		return err;
	weir_props_start(&walk, text->data, text->used);
	while (!err && weir_props_next(&walk, &line)) {
		if (weir_props_is(&line, "events"))
			err = weir_props_number(&line, &events);
		else if (weir_props_is(&line, "calls"))
			err = weir_props_number(&line, &calls);
	}
	node->calls += events + calls;
	return err ? -EBADMSG : 0;
}

static int take_payload(struct weir_readnode *node,
			const struct weir_block *head,
			const struct weir_bytes *payload)
{
	switch (head->type) {
	case WEIR_BLOCK_HEAD:
		return take_head(node, payload);
	case WEIR_BLOCK_DICT:
		return take_dictionary(node, payload);
	case WEIR_BLOCK_PROC:
		return take_process(node, head->proc, payload);
	case WEIR_BLOCK_NAMES:
		return take_names(node, head, payload);
	case WEIR_BLOCK_NODE:
		return take_unrecorded(node, payload);
	case WEIR_BLOCK_PLAN:
		return weir_outcome_take(&node->outcome, payload->data,
					 payload->used);
	}
	return 0;
}

static int take_block(struct weir_readnode *node, int fd,
		      const struct weir_blocks_found *found,
		      struct weir_bytes *payload)
{
	int err;

	switch (found->head.type) {
	case WEIR_BLOCK_CHUNK:
		node->has_chunks = 1;
		return 0;
	case WEIR_BLOCK_EVENTS:
		err = take_events(node, fd, found);
		break;
	case WEIR_BLOCK_RING:
		err = take_ring(node, fd, found, payload);
		break;
	case WEIR_BLOCK_PROFILE:
		err = take_profile(node, found);
		break;
	case WEIR_BLOCK_END:
		node->has_end = 1;
		err = take_end(node, fd, found, payload);
		break;
	default:
		err = weir_blocks_load(fd, found, &node->shelf->zip,
				       payload);
		if (!err)
			err = take_payload(node, &found->head, payload);
	}
	if (err != -EBADMSG)
		return err;
	node->damage.blocks++;
	return 0;
}

/* Process and name numbers begin anew there. */
static int is_part(const struct weir_blocks_found *found)
{
	return found->head.type == WEIR_BLOCK_HEAD &&
	       found->head.flags & WEIR_HEAD_PART;
}

int weir_readnode_open(struct weir_readnode *node, int fd, uint64_t at)
{
	struct weir_blocks_found found;
	struct weir_bytes payload = { 0 };
	struct weir_blocks blocks;
	uint64_t count = 0;
	int more, err = 0;

	/* Until a HEAD is found: ticks are taken for nanoseconds. */
	node->info.mult = UINT64_C(1) << 32;
	weir_blocks_init(&blocks, fd);
	blocks.at = at;
	while ((more = weir_blocks_next(&blocks, UINT64_MAX, &found)) > 0) {
		if (count && is_part(&found)) {
			node->next = found.at;
			more = 0;
			break;
		}
		count++;
		err = take_block(node, fd, &found, &payload);
		if (err)
			break;
	}
	if (!err)
		err = more;
	if (!err && !node->next)
		err = weir_blocks_close_tail(&blocks);
	node->damage.blocks += blocks.damaged_places;
	node->damage.bytes += blocks.damaged_bytes;
	weir_blocks_fini(&blocks);
	weir_bytes_fini(&payload);
	if (!err && !count && node->damage.bytes)
		err = -EBADMSG;
	return err;
}

int weir_readnode_load(const struct weir_readnode *node,
		       const struct weir_readnode_block *block,
		       struct weir_bytes *to)
{
	int fd, err = weir_readfile_open(&node->file, &fd);

	if (err)
		return err;
	err = weir_blocks_load(fd, &block->found, &node->shelf->zip, to);
	weir_readfile_close(&node->file, fd);
	return err;
}
