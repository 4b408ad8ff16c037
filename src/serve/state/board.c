/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes the board that clients read. A daemon may die between any two stores.
 */
#include "serve/state/board.h"

#include "serve/state/state.h"

static struct weir_board_file *at(uint32_t place)
{
	return &weir_state_board->files[place];
}

/* A turn that nobody has seen yet, also after a death in the middle. */
static uint32_t change(struct weir_board_file *file)
{
	uint32_t turn = atomic_load(&file->turn) / 2 * 2;

	atomic_store(&file->turn, turn + 1);
	return turn + 2;
}

uint32_t weir_board_take(uint32_t place, uint64_t dev, uint64_t ino)
{
	struct weir_board_file *file = at(place);
	uint32_t turn = change(file);

	if (!turn) /* 0 is no turn */
		turn = 2;
	atomic_store(&file->flags, 0);
	atomic_store(&file->dev, dev);
	atomic_store(&file->ino, ino);
	return turn;
}

/* What was read before it is so may be old: that comes first. */
static void count_writing(struct weir_board_file *file, uint32_t flags)
{
	if (flags & ~atomic_load(&file->flags) &
	    (WEIR_FILE_WRITTEN | WEIR_FILE_BYPASS))
		atomic_fetch_add(&file->writings, 1);
}

void weir_board_show(uint32_t place, uint32_t turn, uint32_t flags)
{
	struct weir_board_file *file = at(place);

	count_writing(file, flags);
	atomic_store(&file->flags, flags);
	atomic_store(&file->turn, turn);
}

static void settle_flags(uint32_t old, uint32_t flags)
{
	if (old & ~flags & WEIR_FILE_WRITTEN)
		atomic_fetch_add(&weir_state_board->settled, 1);
}

void weir_board_tell(uint32_t place, uint32_t flags)
{
	uint32_t old = atomic_load(&at(place)->flags);

	if (old == flags)
		return;
	settle_flags(old, flags);
	count_writing(at(place), flags);
	atomic_store(&at(place)->flags, flags);
}

void weir_board_clear(uint32_t place)
{
	struct weir_board_file *file = at(place);
	uint32_t turn = change(file);

	settle_flags(atomic_load(&file->flags), 0);
	atomic_store(&file->ino, 0);
	atomic_store(&file->dev, 0);
	atomic_store(&file->flags, 0);
	atomic_store(&file->turn, turn);
}
