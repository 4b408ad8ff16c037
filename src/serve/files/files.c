/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps the table of files by place. Order of locks in the daemon, the first
 *before the second:
 *
 *	a file's `staging`, a session's `taking` (ingest.c), the table here, a
 *	file's `lock`, the pool of chunks (chunkpool.c)
 *
 * The list of sessions (sessionlist.c) and the workers' queue (workers.c) are
 *held with none of them taken afterwards. A file is waited for (its `lock`)
 *only by who holds the table or has it borrowed: so it is unmade by who takes
 *it off the table when nobody has it borrowed. Making and unmaking may take
 *long: its place is `busy` then, and the table is not locked.
 */
#include "serve/files/files.h"

#include "base/clock.h"
#include "serve/files/backing.h"
#include "serve/files/directlook.h"
#include "serve/files/fileflags.h"
#include "serve/files/filemake.h"
#include "serve/state/board.h"
#include "serve/state/keptfds.h"

#include <errno.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static struct weir_file *table[WEIR_BOARD_FILES];
static bool busy[WEIR_BOARD_FILES];

/* The file is locked, or nobody else has it yet. */
static void count_open(struct weir_file *file, bool writes)
{
	file->users++;
	file->opens++;
	file->writers += writes;
	weir_fileflags_show(file);
}

/* The table is locked; a place whose file is being made is waited for. */
static struct weir_file *find_known(const struct weir_file_new *new)
{
	int place;

	while ((place = weir_board_find(weir_state_board, new->dev,
					new->ino)) >= 0 &&
	       busy[place])
		pthread_cond_wait(&moved, &guard);
	return place < 0 ? NULL : table[place];
}

static int find_free(const struct weir_file_new *new)
{
	uint32_t at = weir_board_hash(new->dev, new->ino);

	for (uint32_t i = 0; i < WEIR_BOARD_PROBES; i++) {
		uint32_t place = (at + i) & (WEIR_BOARD_FILES - 1);

		if (!table[place] && !busy[place])
			return (int)place;
	}
	return -1;
}

static void end_busy(uint32_t place)
{
	pthread_mutex_lock(&guard);
	busy[place] = false;
	pthread_cond_broadcast(&moved);
	pthread_mutex_unlock(&guard);
}

/* The table is locked, and is not afterwards. */
static int make_new(const struct weir_file_new *new,
		    struct weir_file **ret_file)
{
	int place = find_free(new), err;
	struct weir_file *file;
	uint32_t turn;

	if (place < 0) {
		pthread_mutex_unlock(&guard);
		return -ENFILE;
	}
	busy[place] = true;
	turn = weir_board_take((uint32_t)place, new->dev, new->ino);
	pthread_mutex_unlock(&guard);
	err = weir_filemake_new((uint32_t)place, turn, new, &file);
	pthread_mutex_lock(&guard);
	if (err) {
		weir_board_clear((uint32_t)place);
	} else {
		table[place] = file;
		weir_board_show((uint32_t)place, turn, 0);
		count_open(file, new->writes);
		*ret_file = file;
	}
	pthread_mutex_unlock(&guard);
	end_busy((uint32_t)place);
	return err;
}

/* The kernel tells once that it failed; here it stays so. */
int weir_files_sync(struct weir_file *file)
{
	int err = weir_backing_sync(file);

	pthread_mutex_lock(&file->lock);
	if (err)
		file->kept->sync_error = err;
	else
		err = file->kept->sync_error;
	pthread_mutex_unlock(&file->lock);
	return err;
}

/*
 * On the board it is by now, so who uses it by the kernel later tells us. Each
 * open looks: the first one may not have come to it yet, or have died before.
 */
static void bypass_if_direct(struct weir_file *file)
{
	if (!weir_directlook_has_kernels(file->kept->dev, file->kept->ino))
		return;
	pthread_mutex_lock(&file->lock);
	weir_fileflags_bypass(file);
	pthread_mutex_unlock(&file->lock);
}

/* Who writes needs a descriptor that can do all, for reads of parts too. */
static void bypass_if_poor(struct weir_file *file)
{
	pthread_mutex_lock(&file->lock);
	if (!file->can_read || !file->can_write) {
		weir_fileflags_bypass(file);
	}
	pthread_mutex_unlock(&file->lock);
}

int weir_files_open(const struct weir_file_new *new,
		    struct weir_file **ret_file)
{
	struct weir_file *file;
	int err;

	pthread_mutex_lock(&guard);
	file = find_known(new);
	if (file) {
		pthread_mutex_lock(&file->lock);
		count_open(file, new->writes);
		pthread_mutex_unlock(&file->lock);
		pthread_mutex_unlock(&guard);
		weir_filemake_improve(file, new);
		*ret_file = file;
	} else {
		err = make_new(new, ret_file);
		if (err)
			return err;
	}
	bypass_if_direct(*ret_file);
	if (new->writes)
		bypass_if_poor(*ret_file);
	return 0;
}

struct weir_file *weir_files_lock(uint32_t place, uint32_t turn)
{
	struct weir_file *file;

	if (place >= WEIR_BOARD_FILES)
		return NULL;
	pthread_mutex_lock(&guard);
	file = table[place];
	if (file && file->turn == turn)
		pthread_mutex_lock(&file->lock);
	else
		file = NULL;
	pthread_mutex_unlock(&guard);
	return file;
}

struct weir_file *weir_files_borrow(uint32_t place, uint32_t turn)
{
	struct weir_file *file = weir_files_lock(place, turn);

	if (file) {
		file->users++;
		pthread_mutex_unlock(&file->lock);
	}
	return file;
}

struct weir_file *weir_files_borrow_open(const struct weir_state_open *kept)
{
	uint32_t turn = atomic_load(&kept->turn);

	return turn ? weir_files_borrow(atomic_load(&kept->file), turn) : NULL;
}

struct weir_file *weir_files_reopen(uint32_t place, uint32_t turn, bool writes)
{
	struct weir_file *file = weir_files_lock(place, turn);

	if (file) {
		count_open(file, writes);
		pthread_mutex_unlock(&file->lock);
	}
	return file;
}

/* The table is locked, and is not afterwards. */
static void forget_file(struct weir_file *file)
{
	uint32_t place = file->place;

	table[place] = NULL;
	busy[place] = true;
	atomic_store(&file->kept->live, 0);
	weir_board_clear(place);
	pthread_mutex_unlock(&guard);
	weir_filemake_unmake(file);
	end_busy(place);
}

void weir_files_put(struct weir_file *file)
{
	bool is_last;

	pthread_mutex_lock(&guard);
	pthread_mutex_lock(&file->lock);
	is_last = --file->users == 0 && !file->records;
	pthread_mutex_unlock(&file->lock);
	if (is_last)
		forget_file(file);
	else
		pthread_mutex_unlock(&guard);
}

/* The table is locked. */
static bool is_left_over(uint32_t place, uint32_t turn)
{
	struct weir_file *file = table[place];
	bool left;

	if (!file || file->turn != turn)
		return busy[place];
	pthread_mutex_lock(&file->lock);
	left = !file->opens && !file->records;
	pthread_mutex_unlock(&file->lock);
	return left;
}

/*
 * Who has closed a file may run it as a program next, which fails while anybody
 * can write it. A thread that only looks at it lets go of it soon.
 */
static void wait_until_closed(uint32_t place, uint32_t turn)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	pthread_mutex_lock(&guard);
	while (is_left_over(place, turn))
		if (pthread_cond_timedwait(&moved, &guard, &until))
			break;
	pthread_mutex_unlock(&guard);
}

void weir_files_close(struct weir_file *file, bool wrote)
{
	uint32_t place = file->place, turn = file->turn;

	bool can_write;

	pthread_mutex_lock(&file->lock);
	file->opens--;
	file->writers -= wrote;
	can_write = file->can_write;
	weir_fileflags_show(file);
	pthread_mutex_unlock(&file->lock);
	weir_files_put(file);
	if (can_write)
		wait_until_closed(place, turn);
}

uint64_t weir_files_records(struct weir_file *file)
{
	uint64_t count;

	pthread_mutex_lock(&file->lock);
	count = file->records;
	pthread_mutex_unlock(&file->lock);
	return count;
}

/* The next file at or behind a place; NULL: there is none. */
static struct weir_file *borrow_next(uint32_t from)
{
	struct weir_file *file = NULL;

	pthread_mutex_lock(&guard);
	while (from < WEIR_BOARD_FILES && !file)
		file = table[from++];
	if (file) {
		pthread_mutex_lock(&file->lock);
		file->users++;
		pthread_mutex_unlock(&file->lock);
	}
	pthread_mutex_unlock(&guard);
	return file;
}

void weir_files_each(void (*look)(struct weir_file *file, void *arg), void *arg)
{
	struct weir_file *file = borrow_next(0);

	while (file) {
		uint32_t place = file->place;

		look(file, arg);
		weir_files_put(file);
		file = borrow_next(place + 1);
	}
}

static void bring_back(uint32_t place)
{
	struct weir_state_file *kept = &weir_state->files[place];

	if (atomic_load(&kept->live))
		table[place] = weir_filemake_back(place);
	if (!table[place]) {
		atomic_store(&kept->live, 0);
		weir_board_clear(place);
	}
}

/* What the board shows is as the last daemon left it. */
int weir_files_begin(weir_index_gone gone)
{
	weir_filemake_begin(gone);
	for (uint32_t i = 0; i < WEIR_BOARD_FILES; i++) {
		if (atomic_load(&weir_state_board->files[i].ino))
			bring_back(i);
		if (!table[i] &&
		    weir_keptfds_inherited(WEIR_KEPTFDS_FILE, i) >= 0)
			weir_keptfds_drop(WEIR_KEPTFDS_FILE, i);
	}
	return 0;
}

static void tell_locked(struct weir_file *file, void *unused)
{
	pthread_mutex_lock(&file->lock);
	weir_fileflags_show(file);
	pthread_mutex_unlock(&file->lock);
}

void weir_files_settle(void)
{
	weir_fileflags_settle();
	weir_files_each(tell_locked, NULL);
}

void weir_files_end(void)
{
	for (uint32_t i = 0; i < WEIR_BOARD_FILES; i++) {
		if (!table[i])
			continue;
		weir_filemake_unmake(table[i]);
		table[i] = NULL;
	}
}
