/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks for room in file systems now and then, or when much is lent. */
#include "serve/log/freespace.h"

#include "base/clock.h"
#include "serve/files/backing.h"
#include "serve/files/fileflags.h"
#include "serve/files/files.h"
#include "serve/log/sessionlist.h"
#include "serve/session/chunkpool.h"
#include "serve/state/setup.h"

#define EVERY UINT64_C(50000000) /* ns */
#define SYSTEMS 16		 /* others are asked in their place */
#define WINDOW 64

struct system {
	uint64_t dev, room, dirty;
	bool is_tight;
};

struct survey {
	struct system systems[SYSTEMS];
	int count;
	uint64_t dirty; /* of all */
	uint64_t stuck; /* of files that could not be stored */
	uint32_t failed; /* such files */
	bool is_worse;	/* some file is tight now that was not */
};

static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;
static struct survey last; /* of `looking` */
static _Atomic uint64_t looked;	   /* CLOCK_MONOTONIC ns */
static bool is_starved; /* of `looking` */
static _Atomic uint64_t lent_then, stored_then; /* bytes */
static _Atomic uint64_t spare = UINT64_MAX; /* that could still be lent */

static struct system *find_system(struct survey *survey, uint64_t dev)
{
	for (int i = 0; i < survey->count; i++)
		if (survey->systems[i].dev == dev)
			return &survey->systems[i];
	return NULL;
}

static uint64_t ask_room(struct weir_file *file)
{
	struct weir_backend_extent extent;

	if (weir_backing_extent(file, &extent))
		return UINT64_MAX;
	return extent.room;
}

static void count_file(struct weir_file *file, void *arg)
{
	struct survey *survey = arg;
	struct system *system = find_system(survey, file->kept->dev);
	uint64_t dirty;
	uint32_t writers;
	bool has_failed;

	pthread_mutex_lock(&file->lock);
	dirty = weir_index_bytes(file->index);
	writers = file->writers;
	has_failed = file->error != 0;
	pthread_mutex_unlock(&file->lock);
	survey->dirty += dirty;
	survey->failed += has_failed;
	if (has_failed)
		survey->stuck += dirty;
	if (!writers && !dirty)
		return;
	if (!system && survey->count < SYSTEMS) {
		system = &survey->systems[survey->count++];
		*system = (struct system){ .dev = file->kept->dev,
					   .room = ask_room(file) };
	}
	if (system)
		system->dirty += dirty;
}

static void tell_file(struct weir_file *file, void *arg)
{
	struct survey *survey = arg;
	struct system *system = find_system(survey, file->kept->dev);
	bool is_tight = system && system->is_tight;

	pthread_mutex_lock(&file->lock);
	if (file->is_tight != is_tight) {
		file->is_tight = is_tight;
		weir_fileflags_show(file);
		survey->is_worse |= is_tight;
	}
	pthread_mutex_unlock(&file->lock);
}

/*
 * All memory is held by what cannot be stored: nobody is to wait for it. It
 * stays so until there is some to share again.
 */
static bool is_famine(const struct survey *survey, uint64_t lent)
{
	if (!survey->stuck)
		return false;
	if (is_starved)
		return lent > weir_setup_used->cache / 4 * 3;
	return survey->stuck == survey->dirty && weir_chunkpool_waiting() > 0;
}

/*
 * Once it is tight it stays so until there is twice the room: writers that go
 * through would take what others, who are in a write just now, count on.
 */
static bool was_tight(uint64_t dev)
{
	const struct system *before = find_system(&last, dev);

	return before && before->is_tight;
}

/*
 * What is lent can all be written to one of them, and what sessions are given
 * at the same time.
 */
static uint64_t judge_systems(struct survey *survey, uint64_t lent)
{
	uint64_t unused = lent > survey->dirty ? lent - survey->dirty : 0;
	uint64_t soon = (weir_sessionlist_count() + 1) * WEIR_SESSION_CHUNK;
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < survey->count; i++) {
		struct system *system = &survey->systems[i];
		uint64_t need = system->dirty + unused + soon;
		uint64_t room = system->room - system->room / 20;

		if (was_tight(system->dev))
			need *= 2;
		system->is_tight = is_starved || room < need;
		if (system->is_tight)
			least = 0;
		else if (room - need < least)
			least = room - need;
	}
	return least;
}

static void look_now(uint64_t now)
{
	struct survey survey = { .count = 0 };
	uint64_t lent = weir_chunkpool_lent();

	atomic_store(&stored_then, atomic_load(&weir_state->bytes_out));
	atomic_store(&looked, now);
	weir_files_each(count_file, &survey);
	is_starved = is_famine(&survey, lent);
	atomic_store(&spare, judge_systems(&survey, lent));
	atomic_store(&lent_then, lent);
	weir_files_each(tell_file, &survey);
	survey.is_worse |= survey.failed > last.failed;
	last = survey;
	if (survey.is_worse)
		weir_chunkpool_stir();
}

/* What was stored since has its room, and its chunk may be filled again. */
static bool is_due(uint64_t now)
{
	uint64_t lent = weir_chunkpool_lent(), then = atomic_load(&lent_then);
	uint64_t taken = atomic_load(&weir_state->bytes_out) -
			 atomic_load(&stored_then);

	if (lent > then)
		taken += lent - then;
	return now - atomic_load(&looked) >= EVERY ||
	       taken > atomic_load(&spare) / 2;
}

void weir_freespace_look(void)
{
	if (!is_due(weir_clock_ns(CLOCK_MONOTONIC)))
		return;
	pthread_mutex_lock(&looking);
	if (is_due(weir_clock_ns(CLOCK_MONOTONIC)))
		look_now(weir_clock_ns(CLOCK_MONOTONIC));
	pthread_mutex_unlock(&looking);
}

/* What is lent already might not fit there, or nothing does. */
void weir_freespace_meet(const struct weir_file *file)
{
	const struct system *system;

	pthread_mutex_lock(&looking);
	system = find_system(&last, file->kept->dev);
	if (!system || system->is_tight)
		look_now(weir_clock_ns(CLOCK_MONOTONIC));
	pthread_mutex_unlock(&looking);
}

/* All sessions have as many. */
uint32_t weir_freespace_window(void)
{
	uint64_t chunks = atomic_load(&spare) / WEIR_SESSION_CHUNK / 8;

	if (chunks < 1)
		return 1;
	return chunks < WINDOW ? (uint32_t)chunks : WINDOW;
}
