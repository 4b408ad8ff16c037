/* SPDX-License-Identifier: BSD-3-Clause */
/* Brings the ring of a recorded process into a store. */
#include "trace/live/ringtake.h"

#include "base/whole.h"
#include "spec/ring.h"
#include "trace/file/ringblock.h"
#include "trace/file/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_ring(int dir_fd, const char *live_name, int *ret_fd)
{
	char name[300];
	struct stat st;
	int fd;

	if (snprintf(name, sizeof(name), "%s" WEIR_RING_SUFFIX, live_name) >=
	    (int)sizeof(name))
		return -ENAMETOOLONG;
	fd = openat(dir_fd, name,
		    O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -EBADMSG;
	}
	*ret_fd = fd;
	return 0;
}

static int read_head(int fd, struct weir_ring_head *ret_head)
{
	struct weir_ring_head head;
	int err = weir_whole_read_at(fd, &head, sizeof(head), 0);

	if (err)
		return err;
	if (memcmp(head.magic, WEIR_RING_MAGIC, sizeof(head.magic)) ||
	    head.version != 1 || head.shift > 32 || !head.slots ||
	    head.slots > WEIR_RING_MOST / sizeof(struct weir_ring_record) ||
	    (head.head & WEIR_RING_PLACES) >= 2 * (uint64_t)head.slots ||
	    head.turns >> 32)
		return -EBADMSG;
	*ret_head = head;
	return 0;
}

/* Records that were ever written. */
static uint64_t total_of(const struct weir_ring_head *head)
{
	return head->turns * 2 * head->slots + (head->head & WEIR_RING_PLACES);
}

/* The unit of the last record: `latest` is near it. */
static uint64_t last_unit(const struct weir_ring_head *head)
{
	int64_t from_latest =
		(int64_t)((head->head & ~WEIR_RING_PLACES) -
			  (head->latest << WEIR_RING_PLACE_BITS)) >>
		WEIR_RING_PLACE_BITS;

	return head->latest + (uint64_t)from_latest;
}

/* As it is told from now on: without FRESH, and known where not written. */
static struct weir_ring_record tidy(struct weir_ring_record record, bool fresh)
{
	if (!(record.what & WEIR_RING_FRESH) == fresh)
		return (struct weir_ring_record){
			WEIR_RING_BARE |
				WEIR_RING_WHO_MASK << WEIR_RING_WHO_SHIFT |
				WEIR_RING_UNWRITTEN,
			0};
	record.what &= ~WEIR_RING_FRESH;
	return record;
}

/* Puts what is still there of [0, end) in order, and goes back to its base. */
static void arrange(const struct weir_ring_head *head,
		    const struct weir_ring_record *from, uint64_t end,
		    struct weir_ringtake *taken)
{
	uint32_t slots = head->slots;

	taken->base = last_unit(head);
	taken->count = end - taken->sequence;
	for (uint64_t i = 0; i < taken->count; i++) {
		uint64_t place = (taken->sequence + i) % (2 * (uint64_t)slots);

		taken->records[i] = tidy(from[place % slots], place < slots);
		taken->base -= weir_ringblock_gap(&taken->records[i]);
	}
}

static int load(int fd, const struct weir_ring_head *head,
		struct weir_ring_record *from, struct weir_ringtake *taken)
{
	uint64_t end = total_of(head), later;
	struct weir_ring_head after;
	int err = weir_whole_read_at(fd, from, head->slots * sizeof(*from),
				     WEIR_RING_HEAD_BYTES);

	err = err ?: read_head(fd, &after);
	if (err)
		return err;
	later = total_of(&after) > end ? total_of(&after) : end;
	taken->shift = head->shift;
	taken->sequence = later > head->slots ? later - head->slots : 0;
	if (taken->sequence > end)
		taken->sequence = end;
	taken->records = malloc(head->slots * sizeof(*from));
	if (!taken->records)
		return -ENOMEM;
	arrange(head, from, end, taken);
	return 0;
}

int weir_ringtake_load(int dir_fd, const char *live_name,
		       struct weir_ringtake *ret_taken)
{
	struct weir_ring_record *from = NULL;
	struct weir_ringtake taken = {0};
	struct weir_ring_head head;
	int fd = -1, err = open_ring(dir_fd, live_name, &fd);

	if (err)
		return err;
	err = read_head(fd, &head);
	if (!err)
		from = malloc(head.slots * sizeof(*from));
	if (!err)
		err = from ? load(fd, &head, from, &taken) : -ENOMEM;
	free(from);
	close(fd);
	if (err)
		return err;
	*ret_taken = taken;
	return 0;
}

void weir_ringtake_fini(struct weir_ringtake *taken)
{
	free(taken->records);
	*taken = (struct weir_ringtake){0};
}

/* From units to us, so that sums do not drift: each is the sum's share. */
struct ruler {
	uint64_t mult;
	uint32_t shift;
	uint64_t units, us; /* so far in this block */
};

static uint64_t next_gap(struct ruler *ruler, uint64_t units)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t us, gap;

	ruler->units += units;
	us = (uint64_t)(((wide)ruler->units << ruler->shift) * ruler->mult /
			1000 >> 32);
	gap = us - ruler->us;
	ruler->us = us;
	return gap;
}

static void convert(struct ruler *ruler, const struct weir_ring_record *from,
		    struct weir_ring_record *to)
{
	uint64_t gap = next_gap(ruler, weir_ringblock_gap(from));

	*to = *from;
	if (weir_ringblock_is_gap(from)) {
		to->data = gap;
		return;
	}
	if (gap > WEIR_RING_MOST_GAP) { /* the rest with the next record */
		ruler->us -= gap - WEIR_RING_MOST_GAP;
		gap = WEIR_RING_MOST_GAP;
	}
	to->what &= ~(WEIR_RING_MOST_GAP << WEIR_RING_GAP_SHIFT);
	to->what |= gap << WEIR_RING_GAP_SHIFT;
}

/* Where a ring is on its way into a store. */
struct putting {
	const struct weir_ringtake *taken;
	struct weir_store *store;
	struct weir_bytes payload;
	uint64_t at;   /* record to go on with */
	uint64_t unit; /* of the record before it */
	uint64_t mult;
};

/* How many records come into the next block. */
static uint64_t records_in_block(const struct putting *put)
{
	const struct weir_ringtake *taken = put->taken;
	uint64_t left = taken->count - put->at;

	if (left <= WEIR_RINGBLOCK_RECORDS)
		return left;
	return WEIR_RINGBLOCK_RECORDS -
	       weir_ringblock_is_place(
		       &taken->records[put->at + WEIR_RINGBLOCK_RECORDS - 1]);
}

static int fill_payload(struct putting *put)
{
	const struct weir_ringtake *taken = put->taken;
	struct ruler ruler = {.mult = put->mult, .shift = taken->shift};
	struct weir_ringblock_head head = {
		.sequence = taken->sequence + put->at,
		.base = put->unit << taken->shift,
		.mult = put->mult,
		.records = records_in_block(put),
	};
	int err;

	put->payload.used = 0;
	err = weir_bytes_add(&put->payload, &head, sizeof(head));
	for (uint64_t i = 0; !err && i < head.records; i++) {
		struct weir_ring_record record;

		convert(&ruler, &taken->records[put->at++], &record);
		err = weir_bytes_add(&put->payload, &record, sizeof(record));
	}
	put->unit += ruler.units;
	return err;
}

static int put_block(struct putting *put, uint32_t proc)
{
	struct weir_ringblock_extent extent;
	struct weir_ringblock block;
	int err = fill_payload(put);

	err = err ?: weir_ringblock_parse(put->payload.data, put->payload.used,
					  &block);
	if (err)
		return err;
	extent = weir_ringblock_measure(&block);
	return weir_store_append(put->store,
				 &(struct weir_block){
					 .type = WEIR_BLOCK_RING,
					 .stored = (uint32_t)put->payload.used,
					 .proc = proc,
					 .count = extent.events,
					 .first = extent.first,
					 .last = extent.last,
					 .flags = WEIR_RING_HANDLES,
				 },
				 put->payload.data);
}

int weir_ringtake_put(const struct weir_ringtake *taken,
		      struct weir_store *store, uint32_t proc, uint64_t mult)
{
	struct putting put = {
		.taken = taken,
		.store = store,
		.unit = taken->base,
		.mult = mult,
	};
	int err = 0;

	while (!err && put.at < taken->count)
		err = put_block(&put, proc);
	weir_bytes_fini(&put.payload);
	return err;
}
