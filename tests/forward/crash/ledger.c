/* SPDX-License-Identifier: BSD-3-Clause */
/* The ledger: where it is, and what patterns are written. */
#include "ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct ledger *ledger;
char ledger_place[PATH_MAX - 64];

static int map_ledger(const char *path, int flags)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | flags, 0600);
	void *map = MAP_FAILED;

	if (fd < 0)
		return -errno;
	if (!(flags & O_CREAT) || !ftruncate(fd, sizeof(struct ledger)))
		map = mmap(NULL, sizeof(struct ledger), PROT_READ | PROT_WRITE,
			   MAP_SHARED, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return -ENOMEM;
	ledger = map;
	return 0;
}

int ledger_make(const char *path)
{
	return map_ledger(path, O_CREAT | O_EXCL);
}

int ledger_join(const char *path)
{
	return map_ledger(path, 0);
}

void ledger_fail(const char *form, ...)
{
	uint32_t first = 0;
	va_list arguments;

	if (!atomic_compare_exchange_strong(&ledger->face.failed, &first, 1))
		return;
	va_start(arguments, form);
	vsnprintf(ledger->face.why, sizeof(ledger->face.why), form,
		  arguments);
	va_end(arguments);
	atomic_store(&ledger->face.stop, 1);
}

void ledger_error(const char *what)
{
	if (atomic_load(&ledger->face.may_fail))
		_exit(0);
	ledger_fail("%s: %m", what);
}

int ledger_open(const char *name, int lane, int flags)
{
	char path[PATH_MAX];
	int fd;

	if (lane < 0)
		snprintf(path, sizeof(path), "%s/%s", ledger_place, name);
	else
		snprintf(path, sizeof(path), "%s/%s%d", ledger_place, name,
			 lane);
	fd = open(path, flags | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		ledger_error(path);
	return fd;
}

uint8_t ledger_cell_value(uint32_t number, uint32_t at)
{
	return number ? (uint8_t)(number + at * 31) : 0;
}

void ledger_check_cell(uint32_t cell, uint32_t ended, const uint8_t *bytes)
{
	uint32_t begun = atomic_load(&ledger->begun[cell]);

	if (begun - ended > 200)
		return; /* it went round meanwhile */
	for (uint32_t i = 0; i < LEDGER_CELL; i++) {
		uint32_t number = ended;

		while (number != begun &&
		       ledger_cell_value(number, i) != bytes[i])
			number++;
		if (ledger_cell_value(number, i) == bytes[i])
			continue;
		ledger_fail("cell %u: byte %u is %02x; %u had ended (%02x), "
			    "%u begun",
			    cell, i, bytes[i], ended,
			    ledger_cell_value(ended, i), begun);
		return;
	}
}

void ledger_fill(uint8_t *room, uint64_t length, uint64_t seed)
{
	for (uint64_t i = 0; i < length; i++) {
		if (i % 8 == 0)
			seed = seed * UINT64_C(6364136223846793005) + 1442695;
		room[i] = (uint8_t)(seed >> (8 * (i % 8)));
	}
}

void ledger_fill_record(uint8_t *room, uint32_t lane, uint32_t number)
{
	const uint32_t head[2] = {lane + 1, number};

	ledger_fill(room, LEDGER_RECORD, lane * UINT64_C(1000003) + number);
	memcpy(room, head, sizeof(head));
}
