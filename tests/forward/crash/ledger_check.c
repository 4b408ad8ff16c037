/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether files are what the ledger says they may be. */
#include "ledger.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As much as there is, by as many calls as it takes. */
static int64_t read_whole(int fd, uint8_t *room, uint64_t most)
{
	uint64_t got = 0;

	while (got < most) {
		ssize_t more = pread(fd, room + got, most - got, (off_t)got);

		if (more < 0)
			ledger_error("pread");
		if (more <= 0)
			break;
		got += (uint64_t)more;
	}
	return (int64_t)got;
}

/* Only of one that has failed, as the service was given up. */
static bool may_be_half(const struct ledger_lane *lane, uint64_t at)
{
	return atomic_load(&ledger->face.may_fail) &&
	       atomic_load(&lane->kind) == LEDGER_CUT && at >= lane->offset;
}

static bool may_have_size(const struct ledger_lane *lane, uint64_t size)
{
	uint64_t end = lane->offset + lane->length;

	switch (atomic_load(&lane->kind)) {
	case LEDGER_WRITE:
		return size >= lane->size &&
		       (size == lane->size || size <= end);
	case LEDGER_CUT:
		return size == lane->size || size == lane->offset ||
		       (size <= lane->size && may_be_half(lane, size));
	default:
		return size == lane->size;
	}
}

/* What a byte is after the write in flight, if that was to change it. */
static uint8_t other_byte(const struct ledger_lane *lane, const uint8_t *flying,
			  uint64_t at)
{
	if (atomic_load(&lane->kind) == LEDGER_WRITE && at >= lane->offset &&
	    at < lane->offset + lane->length)
		return flying[at - lane->offset];
	if (may_be_half(lane, at))
		return 0;
	return lane->bytes[at];
}

static bool check_lane(uint32_t number, const uint8_t *room, uint64_t size,
		       const uint8_t *flying)
{
	const struct ledger_lane *lane = &ledger->lanes[number];

	if (!may_have_size(lane, size)) {
		ledger_fail("own%u has %lu bytes; must be %lu (in flight: "
			    "kind %u at %lu, %lu bytes)",
			    number, (unsigned long)size,
			    (unsigned long)lane->size, atomic_load(&lane->kind),
			    (unsigned long)lane->offset,
			    (unsigned long)lane->length);
		return false;
	}
	for (uint64_t i = 0; i < size; i++)
		if (room[i] != lane->bytes[i] &&
		    room[i] != other_byte(lane, flying, i)) {
			ledger_fail("own%u: byte %lu is %02x, must be %02x "
				    "(in flight: kind %u at %lu, %lu bytes)",
				    number, (unsigned long)i, room[i],
				    lane->bytes[i], atomic_load(&lane->kind),
				    (unsigned long)lane->offset,
				    (unsigned long)lane->length);
			return false;
		}
	return true;
}

/* Killed within this, the next one finds the same, and does it again. */
static void take_over(struct ledger_lane *lane, const uint8_t *room,
		      uint64_t size)
{
	memcpy(lane->bytes, room, size);
	memset(lane->bytes + size, 0, LEDGER_MOST - size);
	lane->size = size;
	atomic_store(&lane->kind, LEDGER_NOTHING);
}

void ledger_adopt(uint32_t number, uint8_t *room)
{
	struct ledger_lane *lane = &ledger->lanes[number];
	uint8_t *flying = room + LEDGER_MOST;
	int fd = ledger_open("own", (int)number, O_RDWR);
	int64_t size;

	if (fd < 0)
		return;
	if (lane->length <= LEDGER_MOST)
		ledger_fill(flying, lane->length, lane->seed);
	size = read_whole(fd, room, LEDGER_MOST);
	if (check_lane(number, room, (uint64_t)size, flying))
		take_over(lane, room, (uint64_t)size);
	close(fd);
}

/* One record of a log; counts how often it is there. */
static void count_record(const uint8_t *record, uint8_t *counts,
			 uint64_t *holes)
{
	static const uint8_t nothing[LEDGER_RECORD];
	uint8_t right[LEDGER_RECORD];
	uint32_t head[2];

	if (!memcmp(record, nothing, LEDGER_RECORD)) {
		++*holes;
		return;
	}
	memcpy(head, record, sizeof(head));
	if (!head[0] || head[0] > LEDGER_LANES || head[1] >= LEDGER_RECORDS) {
		ledger_fail("a record of lane %u, number %u", head[0], head[1]);
		return;
	}
	ledger_fill_record(right, head[0] - 1, head[1]);
	if (memcmp(right, record, LEDGER_RECORD))
		ledger_fail("record %u of lane %u is torn", head[1],
			    head[0] - 1);
	counts[(head[0] - 1) * LEDGER_RECORDS + head[1]]++;
}

/* What is not there must have been in flight; so must what left a hole. */
static void judge_records(enum ledger_log log, const uint8_t *counts,
			  uint64_t holes)
{
	uint64_t missing = 0;

	for (uint32_t i = 0; i < LEDGER_LANES * LEDGER_RECORDS; i++) {
		uint32_t lane = i / LEDGER_RECORDS, at = i % LEDGER_RECORDS;
		bool had = ledger->lanes[lane].is_there[log][at];

		if (counts[i] > 1 || (had && !counts[i]))
			ledger_fail("log %d: record %u of lane %u is there %u "
				    "times, %s",
				    log, at, lane, counts[i],
				    had ? "and had returned"
					: "and had not returned");
		missing += at < ledger->lanes[lane].begun[log] && !counts[i];
	}
	if (holes > missing)
		ledger_fail("log %d: %lu holes, but only %lu records missing",
			    log, (unsigned long)holes, (unsigned long)missing);
}

static void check_log(enum ledger_log log, const char *name)
{
	uint64_t room = (uint64_t)LEDGER_LANES * LEDGER_RECORDS * LEDGER_RECORD;
	uint8_t *bytes = malloc(room);
	uint8_t *counts = calloc(LEDGER_LANES, LEDGER_RECORDS);
	int fd = ledger_open(name, -1, O_RDONLY);
	int64_t size = read_whole(fd, bytes, room);
	uint64_t holes = 0;

	if (size % LEDGER_RECORD)
		ledger_fail("%s has %ld bytes, a broken record", name,
			    (long)size);
	for (int64_t i = 0; i + LEDGER_RECORD <= size; i += LEDGER_RECORD)
		count_record(bytes + i, counts, &holes);
	judge_records(log, counts, holes);
	close(fd);
	free(counts);
	free(bytes);
}

static void check_cells(void)
{
	uint8_t *bytes = calloc(LEDGER_CELLS, LEDGER_CELL);
	int fd = ledger_open("cells", -1, O_RDONLY);

	read_whole(fd, bytes, LEDGER_CELLS * LEDGER_CELL);
	for (uint32_t i = 0; i < LEDGER_CELLS; i++)
		ledger_check_cell(i, atomic_load(&ledger->ended[i]),
				  bytes + (size_t)i * LEDGER_CELL);
	close(fd);
	free(bytes);
}

void ledger_check_all(void)
{
	uint8_t *room = malloc(2 * LEDGER_MOST);

	for (uint32_t i = 0; i < atomic_load(&ledger->face.lanes); i++)
		ledger_adopt(i, room);
	free(room);
	check_cells();
	check_log(LEDGER_APPENDED, "appended");
	check_log(LEDGER_SHARED, "shared");
}
