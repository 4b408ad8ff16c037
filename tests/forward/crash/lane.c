/* SPDX-License-Identifier: BSD-3-Clause */
/* One lane: see its header. */
#include "lane.h"

#include "ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RECORDS_AT_ONCE 24

struct lane {
	uint32_t number;
	struct ledger_lane *entry;
	int own, cells, logs[LEDGER_LOGS];
	uint8_t *room; /* three times a file */
};

static uint64_t any(struct lane *lane, uint64_t limit)
{
	uint64_t mixed = lane->entry->random += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return (mixed ^ mixed >> 31) % limit;
}

static void enter(struct ledger_lane *entry, enum ledger_kind kind,
		  uint64_t offset, uint64_t length)
{
	entry->offset = offset;
	entry->length = length;
	entry->seed = entry->random;
	atomic_store(&entry->kind, kind);
}

/* The length first: only what is whole may be given up. */
static void leave(struct ledger_lane *entry)
{
	atomic_store(&entry->kind, LEDGER_NOTHING);
}

static uint64_t pick_length(struct lane *lane)
{
	uint64_t chance = any(lane, 200);

	if (chance < 150)
		return 1 + any(lane, 3000);
	return 1 + any(lane, chance < 198 ? 40000 : 700000);
}

static ssize_t call_write(struct lane *lane, const void *bytes, uint64_t length,
			  uint64_t offset)
{
	if (any(lane, 3))
		return pwrite(lane->own, bytes, length, (off_t)offset);
	if (lseek(lane->own, (off_t)offset, SEEK_SET) < 0)
		return -1;
	return write(lane->own, bytes, length);
}

static void act_write(struct lane *lane)
{
	struct ledger_lane *entry = lane->entry;
	uint64_t length = pick_length(lane);
	uint64_t offset = any(lane, LEDGER_MOST - length);

	enter(entry, LEDGER_WRITE, offset, length);
	ledger_fill(lane->room, length, entry->seed);
	if (ledger->spoil && any(lane, 64) == 0)
		lane->room[length / 2] ^= 1;
	if (call_write(lane, lane->room, length, offset) != (ssize_t)length)
		ledger_error("write");
	ledger_fill(entry->bytes + offset, length, entry->seed);
	if (offset + length > entry->size)
		entry->size = offset + length;
	leave(entry);
}

static void act_cut(struct lane *lane)
{
	struct ledger_lane *entry = lane->entry;
	uint64_t to = any(lane, LEDGER_MOST);

	enter(entry, LEDGER_CUT, to, 0);
	if (ftruncate(lane->own, (off_t)to))
		ledger_error("ftruncate");
	memset(entry->bytes + to, 0, LEDGER_MOST - to);
	entry->size = to;
	leave(entry);
}

static void act_read(struct lane *lane)
{
	const struct ledger_lane *entry = lane->entry;
	uint64_t length = pick_length(lane), right = 0;
	uint64_t offset = any(lane, LEDGER_MOST - length);
	ssize_t got = pread(lane->own, lane->room, length, (off_t)offset);

	if (offset < entry->size)
		right = length < entry->size - offset ? length
						      : entry->size - offset;
	if (got < 0)
		ledger_error("pread");
	else if (got != (ssize_t)right)
		ledger_fail("lane %u: pread at %lu returned %zd, must be %lu "
			    "(%m)",
			    lane->number, (unsigned long)offset, got,
			    (unsigned long)right);
	for (uint64_t i = 0; got > 0 && i < (uint64_t)got; i++)
		if (lane->room[i] != entry->bytes[offset + i]) {
			ledger_fail("lane %u: pread: byte %lu is %02x, must "
				    "be %02x",
				    lane->number, (unsigned long)(offset + i),
				    lane->room[i], entry->bytes[offset + i]);
			return;
		}
}

static void act_stat(struct lane *lane)
{
	struct stat facts;

	if (fstat(lane->own, &facts))
		ledger_error("fstat");
	else if (facts.st_size != (off_t)lane->entry->size)
		ledger_fail("lane %u: fstat says %ld, must be %lu (%m)",
			    lane->number, (long)facts.st_size,
			    (unsigned long)lane->entry->size);
}

static void act_sync(struct lane *lane)
{
	if (fsync(lane->own))
		ledger_error("fsync");
}

static void act_reopen(struct lane *lane)
{
	if (close(lane->own))
		ledger_error("close");
	lane->own = ledger_open("own", (int)lane->number, O_RDWR);
}

static void act_cell(struct lane *lane)
{
	uint32_t lanes = atomic_load(&ledger->face.lanes);
	uint32_t cell = (uint32_t)any(lane, LEDGER_CELLS / lanes) * lanes +
			lane->number;
	uint32_t number = atomic_load(&ledger->begun[cell]) + 1;
	ssize_t done;

	for (uint32_t i = 0; i < LEDGER_CELL; i++)
		lane->room[i] = ledger_cell_value(number, i);
	atomic_store(&ledger->begun[cell], number);
	done = pwrite(lane->cells, lane->room, LEDGER_CELL,
		      (off_t)cell * LEDGER_CELL);
	if (done != LEDGER_CELL)
		ledger_error("write of a cell");
	else
		atomic_store(&ledger->ended[cell], number);
}

static void read_cells(int fd, uint32_t first, uint32_t count, uint8_t *room)
{
	uint32_t ended[LEDGER_CELLS];

	for (uint32_t i = 0; i < count; i++)
		ended[i] = atomic_load(&ledger->ended[first + i]);
	memset(room, 0, (size_t)count * LEDGER_CELL);
	if (pread(fd, room, (size_t)count * LEDGER_CELL,
		  (off_t)first * LEDGER_CELL) < 0)
		ledger_error("pread of cells");
	for (uint32_t i = 0; i < count; i++)
		ledger_check_cell(first + i, ended[i],
				  room + (size_t)i * LEDGER_CELL);
}

static void act_look(struct lane *lane)
{
	uint32_t count = 1 + (uint32_t)any(lane, 64);

	read_cells(lane->cells, (uint32_t)any(lane, LEDGER_CELLS - count),
		   count, lane->room);
}

/* Some records by one call. */
static void act_log(struct lane *lane)
{
	enum ledger_log log = lane->logs[LEDGER_SHARED] >= 0 && any(lane, 2)
				      ? LEDGER_SHARED
				      : LEDGER_APPENDED;
	struct ledger_lane *entry = lane->entry;
	uint32_t count = 1 + (uint32_t)any(lane, RECORDS_AT_ONCE);
	uint32_t first = entry->begun[log];
	ssize_t length = (ssize_t)count * LEDGER_RECORD;

	if (first + count > LEDGER_RECORDS)
		return;
	for (uint32_t i = 0; i < count; i++)
		ledger_fill_record(lane->room + (size_t)i * LEDGER_RECORD,
				   lane->number, first + i);
	entry->begun[log] = first + count;
	if (write(lane->logs[log], lane->room, (size_t)length) != length)
		ledger_error("write to a log");
	else
		memset(entry->is_there[log] + first, 1, count);
}

static const struct {
	unsigned below; /* of 1000 */
	void (*act)(struct lane *lane);
} acts[] = {{350, act_write}, {370, act_cut},  {550, act_read},
	    {590, act_stat},  {596, act_sync}, {604, act_reopen},
	    {840, act_cell},  {900, act_look}, {1000, act_log}};

static void work(struct lane *lane)
{
	while (!atomic_load(&ledger->face.stop)) {
		uint64_t chance = any(lane, 1000);
		size_t i = 0;

		while (chance >= acts[i].below)
			i++;
		acts[i].act(lane);
		atomic_fetch_add(&ledger->face.lane[lane->number].operations,
				 1);
	}
}

/* A second thread, which only looks. */
static void *watch(void *unused)
{
	static const struct timespec pause = {.tv_nsec = 2000000};
	static uint8_t room[LEDGER_CELLS * LEDGER_CELL];
	int fd = ledger_open("cells", -1, O_RDONLY);

	while (fd >= 0 && !atomic_load(&ledger->face.stop)) {
		read_cells(fd, 0, LEDGER_CELLS, room);
		nanosleep(&pause, NULL);
	}
	close(fd);
	return unused;
}

static void open_files(struct lane *lane, int shared)
{
	lane->own = ledger_open("own", (int)lane->number, O_RDWR);
	lane->cells = ledger_open("cells", -1, O_RDWR);
	lane->logs[LEDGER_APPENDED] =
		ledger_open("appended", -1, O_WRONLY | O_APPEND);
	lane->logs[LEDGER_SHARED] = shared;
}

int lane_main(uint32_t number, int shared)
{
	struct lane lane = {.number = number, .entry = &ledger->lanes[number]};
	pthread_t watcher;
	bool watches = number % 2;

	lane.room = mmap(NULL, 3 * LEDGER_MOST, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ledger_adopt(number, lane.room);
	open_files(&lane, shared);
	if (watches)
		watches = !pthread_create(&watcher, NULL, watch, NULL);
	work(&lane);
	if (watches)
		pthread_join(watcher, NULL);
	if (close(lane.own) || close(lane.cells) ||
	    close(lane.logs[LEDGER_APPENDED]))
		ledger_error("close at the end");
	return 0;
}
