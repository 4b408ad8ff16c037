/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers collective calls on files that several ranks have open. */
#include "layers/hdf5/hdf5_crowd.h"

#include "base/hash.h"
#include "layers/collkey.h"

#include <stdatomic.h>

#define CROWDS 1024
#define TEAMS  1024
#define LISTS  1024

/* The ranks of a communicator, as one list has them, and its copies. */
struct team {
	uint32_t number; /* from 1 */
	uint32_t ranks;
	uint64_t key; /* 0: nobody knows who they are */
};

/* Of teams, and of files, that are older than a thousand others nobody knows
 * any more what they have done. */
static struct {
	_Atomic uint32_t number; /* whose it is now */
	_Atomic uint32_t opens;
} teams[TEAMS];

static struct {
	_Atomic uint32_t number;
	struct team team;
	uint64_t coll;
	_Atomic uint64_t seq;
} crowds[CROWDS];

static _Atomic uint32_t made, used;

/* Access lists with a communicator: few, and the newest count. */
static struct {
	_Atomic uint64_t key;
	struct team team;
} lists[LISTS];

static _Atomic uint32_t written;

/* Backwards: a list may have been given another communicator since. */
static struct team team_of(uint64_t key)
{
	uint32_t last = atomic_load(&written);

	for (uint32_t i = 0; i < LISTS && i < last; i++) {
		uint32_t at = (last - 1 - i) % LISTS;

		if (atomic_load(&lists[at].key) == key)
			return lists[at].team;
	}
	return (struct team){ 0 };
}

static void remember_team(uint64_t key, struct team team)
{
	uint32_t at = atomic_fetch_add(&written, 1) % LISTS;

	atomic_store(&lists[at].key, 0);
	lists[at].team = team;
	atomic_store(&lists[at].key, key);
}

void weir_hdf5_crowd_list(struct weir_hdf5_library *lib, long list, long comm,
			  const void *next)
{
	struct team team = {
		.number = 1 + atomic_fetch_add(&made, 1),
		.ranks = weir_collkey_ranks(comm, next),
		.key = weir_collkey_of("hdf5", comm, next),
	};

	if (!team.ranks)
		return;
	atomic_store(&teams[team.number % TEAMS].opens, 0);
	atomic_store(&teams[team.number % TEAMS].number, team.number);
	remember_team(weir_hdf5_key(lib, list), team);
}

void weir_hdf5_crowd_copy(struct weir_hdf5_library *lib, long from, long to)
{
	struct team team = team_of(weir_hdf5_key(lib, from));

	if (team.number)
		remember_team(weir_hdf5_key(lib, to), team);
}

static bool is_known(uint32_t crowd)
{
	return crowd && atomic_load(&crowds[crowd % CROWDS].number) == crowd;
}

void weir_hdf5_crowd_list_of(struct weir_hdf5_library *lib, uint32_t crowd,
			     long to)
{
	if (is_known(crowd))
		remember_team(weir_hdf5_key(lib, to),
			      crowds[crowd % CROWDS].team);
}

static struct team team_of_list(struct weir_hdf5_library *lib, long list)
{
	return list > 0 ? team_of(weir_hdf5_key(lib, list))
			: (struct team){ 0 };
}

void weir_hdf5_crowd_meet(struct weir_hdf5_args *args)
{
	struct team team = team_of_list(args->library, args->fapl);
	uint32_t at = team.number % TEAMS;
	uint64_t parts[2] = { team.key };

	if (!team.number)
		return;
	args->seq = 1;
	if (!team.key || atomic_load(&teams[at].number) != team.number)
		return;
	args->seq = 0;
	parts[1] = 1 + atomic_fetch_add(&teams[at].opens, 1);
	args->coll = weir_hash_numbers(parts, sizeof(parts));
}

uint32_t weir_hdf5_crowd_open(const struct weir_hdf5_args *args)
{
	struct team team = team_of_list(args->library, args->fapl);
	uint32_t number, at;

	if (!team.number)
		return 0;
	do
		number = 1 + atomic_fetch_add(&used, 1);
	while (!number);
	at = number % CROWDS;
	atomic_store(&crowds[at].number, 0);
	crowds[at].team = team;
	crowds[at].coll = args->coll;
	atomic_store(&crowds[at].seq, 1);
	atomic_store(&crowds[at].number, number);
	return number;
}

uint32_t weir_hdf5_crowd_ranks(struct weir_hdf5_library *lib, long list)
{
	return team_of_list(lib, list).ranks;
}

void weir_hdf5_crowd_count(uint32_t crowd, struct weir_hdf5_args *args)
{
	if (!crowd)
		return;
	args->seq = 1;
	if (!is_known(crowd))
		return;
	args->coll = crowds[crowd % CROWDS].coll;
	args->seq = atomic_fetch_add(&crowds[crowd % CROWDS].seq, 1);
}

void weir_hdf5_crowd_forget(void)
{
	for (int i = 0; i < LISTS; i++)
		atomic_store(&lists[i].key, 0);
}
