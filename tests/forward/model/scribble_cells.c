/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One file that all write without a lock. Each cell has one worker who writes
 * it, with a number that grows: `begun` before the call, `ended` after it. A
 * read may find, in each byte, any number between what had ended before it and
 * what had begun when it returned.
 */
#include "scribble.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define AT_ONCE 64 /* cells of a read */

int scribble_open_cells(void)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/cells", scribble_place);
	return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

static uint8_t value(uint32_t number, uint32_t at)
{
	return number ? (uint8_t)(number + at * 31) : 0;
}

static uint32_t own_cell(struct worker *worker)
{
	uint32_t workers = book->processes * book->threads;
	uint32_t mine = BOOK_CELLS / workers;

	return (uint32_t)scribble_any(worker, mine) * workers + worker->number;
}

static ssize_t call_cell_write(struct worker *worker, off_t at)
{
	struct iovec pieces[] = {
		{worker->out, BOOK_CELL / 3},
		{worker->out + BOOK_CELL / 3, BOOK_CELL - BOOK_CELL / 3}};

	if (scribble_any(worker, 2))
		return pwritev(worker->cells, pieces, 2, at);
	return pwrite(worker->cells, worker->out, BOOK_CELL, at);
}

/* A child has its parent's number: it only reads. */
static void act_cell_write(struct worker *worker)
{
	uint32_t cell = own_cell(worker), number;
	ssize_t done;

	if (worker->is_child)
		return;
	number = atomic_load(&book->begun[cell]) + 1;
	for (uint32_t i = 0; i < BOOK_CELL; i++)
		worker->out[i] = value(number, i);
	atomic_store(&book->begun[cell], number);
	done = call_cell_write(worker, (off_t)cell * BOOK_CELL);
	scribble_expect(worker, -1, done, BOOK_CELL);
	atomic_store(&book->ended[cell], number);
}

static void check_cell(struct worker *worker, uint32_t cell, uint32_t ended,
		       const uint8_t *bytes)
{
	uint32_t begun = atomic_load(&book->begun[cell]);

	if (begun - ended > 200)
		return; /* it went round meanwhile */
	for (uint32_t i = 0; i < BOOK_CELL; i++) {
		uint32_t number = ended;

		while (number != begun && value(number, i) != bytes[i])
			number++;
		if (value(number, i) == bytes[i])
			continue;
		book_fail(-1,
			  "worker %u%s, %s [%lu]: byte %u of cell %u is %02x, "
			  "%u had ended (%02x), %u begun",
			  worker->number, worker->is_child ? "'s child" : "",
			  book_kind_name(worker->kind),
			  (unsigned long)worker->operation, i, cell, bytes[i],
			  ended, value(ended, i), begun);
		return;
	}
}

/* What is not there is 0, unless it was written before. */
static void check_cells(struct worker *worker, uint32_t first, uint32_t count)
{
	uint32_t ended[AT_ONCE];
	ssize_t got;

	for (uint32_t i = 0; i < count; i++)
		ended[i] = atomic_load(&book->ended[first + i]);
	got = pread(worker->cells, worker->in, (size_t)count * BOOK_CELL,
		    (off_t)first * BOOK_CELL);
	if (got < 0) {
		book_fail(-1, "cells: %m");
		return;
	}
	for (uint32_t i = (uint32_t)got; i < count * BOOK_CELL; i++)
		worker->in[i] = 0;
	for (uint32_t i = 0; i < count; i++)
		check_cell(worker, first + i, ended[i],
			   worker->in + (size_t)i * BOOK_CELL);
}

static void act_cell_read(struct worker *worker)
{
	check_cells(worker, own_cell(worker), 1);
}

static void act_cells_read(struct worker *worker)
{
	uint32_t count = 1 + (uint32_t)scribble_any(worker, AT_ONCE);
	uint64_t first = scribble_any(worker, BOOK_CELLS - count + 1);

	check_cells(worker, (uint32_t)first, count);
}

/* A map changes while one looks at it: what is copied had begun before. */
static void check_mapped(struct worker *worker, uint32_t cell, uint32_t ended,
			 const uint8_t *map)
{
	memcpy(worker->in, map + (size_t)cell * BOOK_CELL, BOOK_CELL);
	check_cell(worker, cell, ended, worker->in);
}

/* A cell that is mapped is as one that is read; one that is not must be new. */
static void check_map(struct worker *worker, const uint32_t *ended,
		      const uint8_t *map, off_t size)
{
	for (uint32_t i = 0; i < BOOK_CELLS; i++)
		if ((off_t)(i + 1) * BOOK_CELL <= size)
			check_mapped(worker, i, ended[i], map);
		else if (ended[i])
			book_fail(-1,
				  "worker %u: cell %u is not in a map of "
				  "%ld bytes",
				  worker->number, i, (long)size);
}

/* From then on the kernel has the file, while the others write on. */
static void act_cells_map(struct worker *worker)
{
	uint32_t ended[BOOK_CELLS];
	struct stat facts;
	void *map;

	for (uint32_t i = 0; i < BOOK_CELLS; i++)
		ended[i] = atomic_load(&book->ended[i]);
	if (fstat(worker->cells, &facts) || !facts.st_size)
		return;
	map = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_SHARED,
		   worker->cells, 0);
	if (map == MAP_FAILED) {
		book_fail(-1, "mmap: %m");
		return;
	}
	check_map(worker, ended, map, facts.st_size);
	munmap(map, (size_t)facts.st_size);
}

void scribble_cells_check(struct worker *worker)
{
	for (uint32_t i = 0; i < BOOK_CELLS; i += AT_ONCE)
		check_cells(worker, i, AT_ONCE);
}

const struct scribble_kind scribble_cell_kinds[] = {
	{"cell-write", 120, 120, act_cell_write},
	{"cell-read", 40, 40, act_cell_read},
	{"cells-read", 10, 10, act_cells_read},
	{"cells-map", 0, 1, act_cells_map},
	{0},
};
