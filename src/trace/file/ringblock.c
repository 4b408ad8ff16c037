/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the RING block: the last calls of a process. */
#include "trace/file/ringblock.h"

#include "base/varint.h"
#include "spec/ring.h"
#include "trace/layout/trace_layout.h"

#include <errno.h>
#include <string.h>

#define MOST_ERRNO 4095

int weir_ringblock_parse(const void *payload, size_t size,
			 struct weir_ringblock *ret_block)
{
	struct weir_ringblock_head head;
	size_t bytes;

	if (size < sizeof(head))
		return -EBADMSG;
	memcpy(&head, payload, sizeof(head));
	if (head.records > WEIR_RINGBLOCK_RECORDS ||
	    head.mult < WEIR_HEAD_LEAST_MULT || head.mult > WEIR_HEAD_MOST_MULT)
		return -EBADMSG;
	bytes = head.records * sizeof(struct weir_ring_record);
	if (bytes > size - sizeof(head))
		return -EBADMSG;
	*ret_block = (struct weir_ringblock){
		.head = head,
		.records = (const void *)((const uint8_t *)payload +
					  sizeof(head)),
		.names = (const uint8_t *)payload + sizeof(head) + bytes,
		.names_bytes = size - sizeof(head) - bytes,
	};
	return 0;
}

/* Of nobody: fd -1, or in a raw file a bare descriptor -1 of 30 bits. */
bool weir_ringblock_is_gap(const struct weir_ring_record *record)
{
	return weir_ringblock_kind(record) == WEIR_RING_FILLER &&
	       (record->what | WEIR_RING_FRESH) >> WEIR_RING_WHO_SHIFT ==
		       UINT32_MAX;
}

bool weir_ringblock_is_place(const struct weir_ring_record *record)
{
	return weir_ringblock_kind(record) == WEIR_RING_FILLER &&
	       !weir_ringblock_is_gap(record);
}

uint64_t weir_ringblock_gap(const struct weir_ring_record *record)
{
	if (weir_ringblock_is_gap(record))
		return record->data;
	return record->what >> WEIR_RING_GAP_SHIFT & WEIR_RING_MOST_GAP;
}

uint64_t weir_ringblock_tick(const struct weir_ringblock_head *head,
			     uint64_t us)
{
	__extension__ typedef unsigned __int128 wide;

	return head->base +
	       (uint64_t)(((wide)us * 1000 << 32) / head->mult);
}

struct weir_ringblock_extent
weir_ringblock_measure(const struct weir_ringblock *block)
{
	struct weir_ringblock_extent extent = {0};
	uint64_t us = 0, tick;

	for (uint64_t i = 0; i < block->head.records; i++) {
		const struct weir_ring_record *record = &block->records[i];

		us += weir_ringblock_gap(record);
		if (weir_ringblock_kind(record) == WEIR_RING_FILLER)
			continue;
		tick = weir_ringblock_tick(&block->head, us);
		if (!extent.events || tick < extent.first)
			extent.first = tick;
		if (!extent.events || tick > extent.last)
			extent.last = tick;
		extent.events++;
	}
	return extent;
}

void weir_ringblock_start_names(const struct weir_ringblock *block,
				struct weir_ringblock_names *walk)
{
	*walk = (struct weir_ringblock_names){
		.at = block->names,
		.left = block->names_bytes,
		.position = block->head.sequence,
	};
}

/* Position (less the one before), fd, handle, length and bytes of a name. */
int weir_ringblock_next_name(struct weir_ringblock_names *walk,
			     struct weir_ringblock_name *ret_name)
{
	enum { POSITION, FD, HANDLE, LENGTH, NUMBERS };
	uint64_t got[NUMBERS];

	if (!walk->left)
		return 0;
	for (int i = 0; i < NUMBERS; i++) {
		size_t n = weir_varint_get(walk->at, walk->left, &got[i]);

		if (!n)
			return -EBADMSG;
		walk->at += n;
		walk->left -= n;
	}
	if (got[LENGTH] > walk->left)
		return -EBADMSG;
	walk->position += got[POSITION];
	*ret_name = (struct weir_ringblock_name){
		.position = walk->position,
		.fd = (int32_t)weir_varint_unzigzag(got[FD]),
		.handle = (uint32_t)got[HANDLE],
		.text = got[LENGTH] ? walk->at : NULL,
		.length = got[LENGTH],
	};
	walk->at += got[LENGTH];
	walk->left -= got[LENGTH];
	return 1;
}

int weir_ringblock_add_name(struct weir_bytes *to, uint64_t *position,
			    const struct weir_ringblock_name *name)
{
	int err = weir_bytes_add_varint(to, name->position - *position);

	*position = name->position;
	if (!err)
		err = weir_bytes_add_varint(to, weir_varint_zigzag(name->fd));
	if (!err)
		err = weir_bytes_add_varint(to, name->handle);
	if (!err)
		err = weir_bytes_add_varint(to, name->length);
	if (!err && name->length)
		err = weir_bytes_add(to, name->text, name->length);
	return err;
}

int weir_ringblock_number(const struct weir_ringblock *block,
			  struct weir_names *names)
{
	struct weir_ringblock_names walk;
	struct weir_ringblock_name name;
	uint32_t number;
	int more, err = 0;

	weir_ringblock_start_names(block, &walk);
	while (!err && (more = weir_ringblock_next_name(&walk, &name)) > 0)
		if (name.text)
			err = weir_names_add(names, name.text, name.length,
					     &number);
	return err ? err : more;
}

/* What descriptors stand for while the records are gone through. */
struct meaning {
	struct weir_ringblock_names walk;
	struct weir_ringblock_name next;
	int more; /* `next` has not come into effect yet */
	struct weir_names *names;
	struct weir_map of_fd; /* fd to file << 32 | handle, never 0 */
};

static int take_effect(struct meaning *meaning, uint64_t position)
{
	int err = 0;

	while (!err && meaning->more > 0 &&
	       meaning->next.position <= position) {
		const struct weir_ringblock_name *name = &meaning->next;
		uint64_t key = (uint32_t)name->fd;
		uint32_t file = 0;

		if (name->text)
			err = weir_names_add(meaning->names, name->text,
					     name->length, &file);
		if (!err && (file || name->handle))
			err = weir_map_put(&meaning->of_fd, key,
					   (uint64_t)file << 32 |
						   name->handle);
		else if (!err)
			weir_map_remove(&meaning->of_fd, key);
		meaning->more = weir_ringblock_next_name(&meaning->walk,
							 &meaning->next);
	}
	return err ? err : meaning->more < 0 ? meaning->more : 0;
}

static int add_flags(struct weir_bytes *details, uint64_t flags,
		     struct weir_event *event)
{
	uint8_t *at = details->data + details->used;

	event->detail = at;
	event->detail_len = (uint32_t)weir_varint_put(at, flags);
	details->used += event->detail_len;
	return 0;
}

static void set_place(struct weir_event *event, uint64_t off)
{
	event->off = (int64_t)off;
	event->flags &= (uint8_t)~WEIR_EVENT_NOOFF;
}

/* What was moved, and where if that is known. */
static void read_transfer(const struct weir_ring_record *record,
			  struct weir_event *event)
{
	uint64_t data = record->data;

	if (data & WEIR_RING_PLACED) {
		set_place(event,
			  data >> WEIR_RING_MOVED_BITS & WEIR_RING_MOST_PLACE);
		data &= WEIR_RING_MOST_MOVED;
	}
	event->ret = (int64_t)data;
	event->size = data;
}

static void read_data(const struct weir_ring_record *record,
		      struct weir_bytes *details, struct weir_event *event)
{
	uint32_t kind = weir_ringblock_kind(record);
	int64_t data = (int64_t)record->data;

	if (data < 0 && data >= -MOST_ERRNO) {
		event->flags |= WEIR_EVENT_FAILED;
		event->ret = -data;
		return;
	}
	if (kind <= WEIR_RING_WRITE) {
		read_transfer(record, event);
		return;
	}
	switch (weir_ring_data[kind]) {
	case WEIR_RING_FLAGS:
		event->ret = event->fd;
		add_flags(details, (uint64_t)data, event);
		return;
	case WEIR_RING_SIZE:
		event->size = (uint64_t)data;
		return;
	case WEIR_RING_RET:
		event->ret = data;
		if (kind != WEIR_RING_LSEEK)
			return;
	}
	set_place(event, record->data);
}

/* The offset that the record before tells. */
static void take_place(const struct weir_ringblock *block, uint64_t i,
		       struct weir_event *event)
{
	const struct weir_ring_record *place = &block->records[i - 1];

	if (i && weir_ringblock_kind(place + 1) <= WEIR_RING_WRITE &&
	    weir_ringblock_is_place(place) &&
	    place->what >> WEIR_RING_WHO_SHIFT ==
		    place[1].what >> WEIR_RING_WHO_SHIFT)
		set_place(event, place->data);
}

int weir_ringblock_events(const struct weir_ringblock *block,
			  struct weir_names *names, struct weir_bytes *details,
			  struct weir_event *to)
{
	struct meaning meaning = { .names = names };
	uint64_t us = 0;
	int err;

	details->used = 0;
	err = weir_bytes_reserve(details, weir_ringblock_detail(block) + 1);
	weir_ringblock_start_names(block, &meaning.walk);
	meaning.more = weir_ringblock_next_name(&meaning.walk, &meaning.next);
	for (uint64_t i = 0; !err && i < block->head.records; i++) {
		const struct weir_ring_record *record = &block->records[i];
		uint64_t of_fd;

		us += weir_ringblock_gap(record);
		if (weir_ringblock_kind(record) == WEIR_RING_FILLER)
			continue;
		err = take_effect(&meaning, block->head.sequence + i);
		of_fd = weir_map_get(&meaning.of_fd, record->what >> 32);
		*to = (struct weir_event){
			.start = weir_ringblock_tick(&block->head, us),
			.index = block->head.sequence + i,
			.call = (uint16_t)(WEIR_RING_CALL +
					   weir_ringblock_kind(record)),
			.flags = WEIR_EVENT_NOOFF,
			.fd = (int32_t)(record->what >> 32),
			.file = (uint32_t)(of_fd >> 32),
			.handle = (uint32_t)of_fd,
		};
		read_data(record, details, to);
		take_place(block, i, to++);
	}
	weir_map_fini(&meaning.of_fd);
	return err;
}
