/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps live files of processes that ended for processes to come. */
#include "launch/collect/reserve.h"

#include "trace/layout/control_layout.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST 16 /* a MiB each */

#define MADE_ONE (UINT64_C(1) << 32)
#define NAME	 32

static void name_reserved(char name[NAME], uint32_t number)
{
	snprintf(name, NAME, "%u" WEIR_CONTROL_RESERVE, (unsigned)number);
}

void weir_reserve_open(struct weir_reserve *reserve, int dir_fd,
		       int control_fd)
{
	void *page = MAP_FAILED;

	if (control_fd >= 0)
		page = mmap(NULL, WEIR_CONTROL_BYTES, PROT_READ | PROT_WRITE,
			    MAP_SHARED, control_fd, 0);
	reserve->dir_fd = dir_fd;
	reserve->control = page == MAP_FAILED ? NULL : page;
}

void weir_reserve_close(struct weir_reserve *reserve)
{
	if (reserve->control)
		munmap(reserve->control, WEIR_CONTROL_BYTES);
	reserve->control = NULL;
}

static size_t offset_of(uint32_t unit)
{
	return WEIR_LIVE_HEAD_BYTES + (size_t)unit * WEIR_LIVE_UNIT_BYTES;
}

/* As large as processes start with, and nobody is left who could write. */
static bool can_be_used_again(const struct weir_live_view *view)
{
	size_t bytes = offset_of(WEIR_LIVE_FIRST_UNITS);
	struct stat st;

	return !weir_live_is_damaged(view) && weir_live_is_alone(view) &&
	       !fstat(weir_live_fd(view), &st) &&
	       (size_t)st.st_size == bytes &&
	       (size_t)st.st_blocks * 512 >= bytes;
}

/* Whoever used a unit has left something in its slot or its chunk's head. */
static bool is_used(const uint8_t *unit)
{
	static const uint8_t nothing[WEIR_LIVE_DATA_OFFSET];

	return memcmp(unit, nothing, sizeof(nothing));
}

/* As good as new. False: somebody has cut the file meanwhile. */
static bool wipe(struct weir_live_view *view)
{
	uint8_t *base = (uint8_t *)weir_live_shared(view);

	memset(base, 0, WEIR_LIVE_HEAD_BYTES);
	for (uint32_t i = 0; i < WEIR_LIVE_FIRST_UNITS; i++) {
		if (is_used(base + offset_of(i)))
			memset(base + offset_of(i), 0, WEIR_LIVE_UNIT_BYTES);
	}
	return !weir_live_is_damaged(view);
}

/* Processes write this word too: whatever it says, no more than MOST. */
static bool is_full(uint64_t word)
{
	uint32_t made = (uint32_t)(word >> 32), taken = (uint32_t)word;

	return made < taken || made - taken >= MOST || made == UINT32_MAX;
}

bool weir_reserve_keep(struct weir_reserve *reserve, int dir_fd,
		       const char *name, struct weir_live_view *view)
{
	uint64_t word;
	char kept[NAME];

	if (!reserve || !reserve->control)
		return false;
	word = atomic_load(&reserve->control->reserve);
	name_reserved(kept, (uint32_t)(word >> 32));
	if (is_full(word) || !can_be_used_again(view) || !wipe(view) ||
	    renameat(dir_fd, name, reserve->dir_fd, kept))
		return false;
	/* Last: whoever sees the number finds the file. */
	atomic_fetch_add(&reserve->control->reserve, MADE_ONE);
	return true;
}

/* Without memory: this must not be what leaves a directory behind. */
static void remove_free(const struct weir_reserve *reserve)
{
	uint64_t word = atomic_exchange(&reserve->control->reserve, 0);
	uint32_t made = (uint32_t)(word >> 32), from = (uint32_t)word;
	char name[NAME];

	for (uint32_t i = 0; i < MOST && from + i < made; i++) {
		name_reserved(name, from + i);
		unlinkat(reserve->dir_fd, name, 0);
	}
}

void weir_reserve_end(struct weir_reserve *reserve)
{
	if (reserve->control)
		remove_free(reserve);
	else /* again: a process that was killed had taken one */
		weir_reserve_remove(reserve->dir_fd);
	weir_reserve_close(reserve);
}

static int is_reserved(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);
	size_t suffix = strlen(WEIR_CONTROL_RESERVE);

	return length > suffix && !strcmp(entry->d_name + length - suffix,
					  WEIR_CONTROL_RESERVE);
}

void weir_reserve_remove(int dir_fd)
{
	struct dirent **names;
	int count = scandirat(dir_fd, ".", &names, is_reserved, NULL);

	for (int i = 0; i < count; i++) {
		unlinkat(dir_fd, names[i]->d_name, 0);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}
