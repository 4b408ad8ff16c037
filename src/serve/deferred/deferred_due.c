/* SPDX-License-Identifier: BSD-3-Clause */
/* Materialises the deferred files that are due or asked for. */
#include "base/clock.h"
#include "serve/deferred/deferred.h"
#include "serve/deferred/deferred_file.h"
#include "serve/state/setup.h"
#include "serve/threads/jobs.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHARE_OF_ALL 4 /* that part of the cache is for all together */
#define PAUSE_US     100000

/*
 * Each that `is_meant` in turn, locked. It takes as long as the file is long:
 * nobody waits for one of another name, nor one that somebody sees to anyway.
 */
struct choice {
	bool (*is_meant)(struct weir_deferred *deferred, const void *arg);
	const void *arg;
	const struct weir_deferred_key *key; /* NULL: of any name */
	bool may_skip;
};

/* The one at this place, locked; NULL: there is none, or not now. */
static struct weir_deferred *lock_live(uint32_t place, bool may_skip)
{
	struct weir_deferred *deferred = weir_deferred_at(place);

	if (!atomic_load(&deferred->kept->live))
		return NULL;
	if (!may_skip)
		pthread_mutex_lock(&deferred->lock);
	else if (pthread_mutex_trylock(&deferred->lock))
		return NULL;
	if (atomic_load(&deferred->kept->live))
		return deferred;
	pthread_mutex_unlock(&deferred->lock);
	return NULL;
}

static struct weir_deferred *lock_chosen(const struct choice *choice,
					 uint32_t place)
{
	if (choice->key &&
	    !weir_deferred_may_be(weir_deferred_at(place), choice->key))
		return NULL;
	return lock_live(place, choice->may_skip);
}

static uint64_t materialise_each(const struct choice *choice)
{
	uint64_t failed = 0;

	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++) {
		struct weir_deferred *deferred = lock_chosen(choice, i);

		if (!deferred)
			continue;
		if (atomic_load(&deferred->kept->phase) ==
			    WEIR_DEFERRED_NAMED &&
		    choice->is_meant(deferred, choice->arg)) {
			failed += weir_deferred_materialise(deferred) != 0;
			weir_deferred_forget_if_over(deferred);
		}
		pthread_mutex_unlock(&deferred->lock);
	}
	return failed;
}

static bool is_any(struct weir_deferred *deferred, const void *unused)
{
	return true;
}

static bool is_of(struct weir_deferred *deferred, const void *key)
{
	return weir_deferred_is_named(deferred, key);
}

uint64_t weir_deferred_materialise_all(void)
{
	return materialise_each(&(struct choice){.is_meant = is_any});
}

int weir_deferred_materialise_named(const struct weir_op_materialise_in *in,
				    const char *path, int fd)
{
	struct choice choice = {.is_meant = is_any};
	struct weir_deferred_key key;
	uint64_t failed;
	int err;

	if (in->how > 3)
		return -EINVAL;
	if (in->how == 3)
		atomic_store(&weir_state->deferral_ended, 1);
	if (in->how < 2) {
		err = weir_deferred_key(fd, path, &key);
		if (err)
			return err;
		if (in->how == 1)
			key.name = NULL;
		choice = (struct choice){is_of, &key, .key = &key};
	}
	failed = materialise_each(&choice);
	if (in->how == 1)
		weir_deferred_tell_change(&key, fd);
	return failed ? -EIO : 0;
}

struct limits {
	uint64_t created_before; /* CLOCK_MONOTONIC ns */
	uint64_t now;
};

static bool is_due(struct weir_deferred *deferred, const void *arg)
{
	const struct limits *limits = arg;

	return deferred->retry
		       ? deferred->retry <= limits->now
		       : deferred->kept->since <= limits->created_before;
}

/* Bytes of all, and the oldest that can be materialised: its time. */
static uint64_t add_up(uint64_t *ret_oldest)
{
	uint64_t bytes = 0;
	struct stat about;

	*ret_oldest = UINT64_MAX;
	for (uint32_t i = 0; i < WEIR_BOARD_DEFERRED; i++) {
		struct weir_deferred *deferred = lock_live(i, true);

		if (!deferred)
			continue;
		if (!fstat(deferred->memory, &about)) {
			bytes += (uint64_t)about.st_blocks * 512;
			if (atomic_load(&deferred->kept->phase) ==
				    WEIR_DEFERRED_NAMED &&
			    !deferred->retry &&
			    deferred->kept->since < *ret_oldest)
				*ret_oldest = deferred->kept->since;
		}
		pthread_mutex_unlock(&deferred->lock);
	}
	return bytes;
}

static void tend(uint64_t age, uint64_t bytes)
{
	struct limits limits = {.now = weir_clock_ns(CLOCK_MONOTONIC)};
	struct choice due = {is_due, &limits, .may_skip = true};
	uint64_t oldest;

	limits.created_before = limits.now > age ? limits.now - age : 0;
	materialise_each(&due);
	while (add_up(&oldest) > bytes && oldest != UINT64_MAX) {
		limits.created_before = oldest;
		materialise_each(&due);
	}
}

static _Atomic bool is_tended;

/* As long as there are some. */
static void tend_all(void *unused)
{
	const struct weir_setup *setup = weir_setup_used;

	while (atomic_load(&weir_state_board->deferred_count)) {
		usleep(PAUSE_US);
		tend(setup->age_ms * UINT64_C(1000000),
		     setup->cache / SHARE_OF_ALL);
	}
	atomic_store(&is_tended, false);
	weir_deferred_have_tended(); /* one may have come in between */
}

void weir_deferred_have_tended(void)
{
	if (atomic_load(&weir_state_board->deferred_count) &&
	    !atomic_exchange(&is_tended, true) && weir_jobs_do(tend_all, NULL))
		atomic_store(&is_tended, false);
}
