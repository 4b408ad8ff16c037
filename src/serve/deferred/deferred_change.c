/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Remembers when files were created and removed in a directory that the file
 * system has never heard of. Whoever asks for the times of a directory gets
 * them changed first, so that they cost nothing where nobody does.
 */
#include "serve/deferred/deferred_file.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static _Atomic uint16_t *count_of(const struct weir_state_changed *changed)
{
	return &weir_state_board->deferred_parents[weir_board_name(
		changed->dev, changed->ino, "")];
}

/* NULL: there is none, or no place for one. */
static struct weir_state_changed *find_changed(uint64_t dev, uint64_t ino,
					       bool makes)
{
	struct weir_state_changed *free = NULL;

	for (uint32_t i = 0; i < WEIR_STATE_CHANGED; i++) {
		struct weir_state_changed *at = &weir_state->changed[i];
		bool live = atomic_load(&at->live);

		if (live && at->dev == dev && at->ino == ino)
			return at;
		if (!live && !free)
			free = at;
	}
	return makes ? free : NULL;
}

/* It may be newer by now, and only its owner says when it was changed. */
static void touch(int directory, const struct timespec *when)
{
	struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, *when};
	struct stat about;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", directory);
	if (stat(path, &about) || about.st_mtim.tv_sec > when->tv_sec ||
	    (about.st_mtim.tv_sec == when->tv_sec &&
	     about.st_mtim.tv_nsec >= when->tv_nsec))
		return;
	if (utimensat(AT_FDCWD, path, times, 0))
		utimensat(AT_FDCWD, path, NULL, 0);
}

/* As the kernel stamps what it changes. */
static struct timespec time_of_kernel(void)
{
	struct timespec time = {.tv_sec = 0};

	clock_gettime(CLOCK_REALTIME_COARSE, &time);
	return time;
}

void weir_deferred_note_change(const struct weir_deferred *deferred)
{
	const struct weir_state_deferred *kept = deferred->kept;
	struct timespec when = time_of_kernel();
	struct weir_state_changed *changed;

	pthread_mutex_lock(&guard);
	changed = find_changed(kept->dev, kept->ino, true);
	if (changed)
		changed->when = when;
	if (changed && !atomic_load(&changed->live)) {
		changed->dev = kept->dev;
		changed->ino = kept->ino;
		atomic_fetch_add(count_of(changed), 1);
		atomic_fetch_add(&weir_state_board->deferred_changed, 1);
		atomic_store(&changed->live, 1);
	}
	pthread_mutex_unlock(&guard);
	if (!changed)
		touch(deferred->parent, &when);
}

void weir_deferred_tell_change(const struct weir_deferred_key *key,
			       int directory)
{
	struct weir_state_changed *changed;
	struct timespec when;

	pthread_mutex_lock(&guard);
	changed = find_changed(key->dev, key->ino, false);
	if (changed) {
		when = changed->when;
		atomic_store(&changed->live, 0);
		atomic_fetch_sub(count_of(changed), 1);
		atomic_fetch_sub(&weir_state_board->deferred_changed, 1);
	}
	pthread_mutex_unlock(&guard);
	if (changed)
		touch(directory, &when);
}
