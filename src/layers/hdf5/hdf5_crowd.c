/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers collective calls on files that several ranks have open. */
#include "layers/hdf5/hdf5_crowd.h"

#include "layers/collkey.h"

#include <stdatomic.h>

#define CROWDS 1024
#define LISTS  1024

/* The ranks of a communicator. */
struct team {
	uint64_t group;
	uint32_t ranks;
};

/* Of what is open longer than a thousand others, the last one's is told. */
static struct {
	uint64_t group, coll;
	uint32_t ranks;
	_Atomic uint64_t seq;
} crowds[CROWDS];

static _Atomic uint32_t used;

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
	return (struct team){ 0, 0 };
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
	struct team team = { weir_collkey_group(comm, next),
			     weir_collkey_ranks(comm, next) };

	remember_team(weir_hdf5_key(lib, list), team);
}

void weir_hdf5_crowd_copy(struct weir_hdf5_library *lib, long from, long to)
{
	struct team team = team_of(weir_hdf5_key(lib, from));

	if (team.group)
		remember_team(weir_hdf5_key(lib, to), team);
}

void weir_hdf5_crowd_list_of(struct weir_hdf5_library *lib, uint32_t crowd,
			     long to)
{
	struct team team = { crowds[crowd % CROWDS].group,
			     crowds[crowd % CROWDS].ranks };

	if (crowd)
		remember_team(weir_hdf5_key(lib, to), team);
}

uint32_t weir_hdf5_crowd_open(struct weir_hdf5_library *lib, long list,
			      const char *name)
{
	struct team team = { 0, 0 };
	uint32_t at;

	if (list > 0)
		team = team_of(weir_hdf5_key(lib, list));
	if (!team.group || !name)
		return 0;
	at = 1 + atomic_fetch_add(&used, 1) % (CROWDS - 1);
	crowds[at].group = team.group;
	crowds[at].ranks = team.ranks;
	crowds[at].coll = weir_collkey_in("hdf5", team.group, name);
	atomic_store(&crowds[at].seq, 0);
	return at;
}

uint32_t weir_hdf5_crowd_ranks(struct weir_hdf5_library *lib, long list)
{
	return list > 0 ? team_of(weir_hdf5_key(lib, list)).ranks : 0;
}

void weir_hdf5_crowd_count(uint32_t crowd, struct weir_hdf5_args *args)
{
	if (!crowd)
		return;
	args->coll = crowds[crowd % CROWDS].coll;
	args->seq = atomic_fetch_add(&crowds[crowd % CROWDS].seq, 1);
}

void weir_hdf5_crowd_forget(void)
{
	for (int i = 0; i < LISTS; i++)
		atomic_store(&lists[i].key, 0);
}
