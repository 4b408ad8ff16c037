/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows communicators by numbers that are the same in all their ranks. */
#include "layers/mpi/mpi_comm.h"

#include "base/hash.h"
#include "layers/collkey.h"
#include "layers/mpi/mpi_real.h"
#include "layers/mpi/mpi_world.h"

#define SELF	 UINT64_C(1)
#define GATHERED UINT64_C(2) /* not made by all */

static struct weir_book known;
static struct weir_mpi_comm comms[WEIR_BOOK_ROOM];

/* Ranks, with a tag, that have gathered, and how often. */
static struct weir_book teams;
static _Atomic uint32_t gathered[WEIR_BOOK_ROOM];

static uint64_t hash(uint64_t one, uint64_t two, uint64_t three)
{
	uint64_t parts[3] = { one, two, three };

	return weir_hash_numbers(parts, sizeof(parts));
}

static struct weir_mpi_comm *add_comm(long handle, uint64_t key)
{
	uint32_t at = weir_book_add(&known, (uint64_t)handle);
	struct weir_mpi_comm *comm;

	if (at == WEIR_BOOK_NONE)
		return NULL;
	comm = &comms[at];
	comm->key = key;
	atomic_store(&comm->calls, 0);
	atomic_store(&comm->parts, 0);
	atomic_store(&comm->opens, 0);
	comm->rank = comm->size = 0;
	return comm;
}

/* Only the program's use of a handle shows that it may be asked about. */
static void learn_place(struct weir_mpi_comm *comm, long handle)
{
	if (!comm->size && (weir_mpi_real.comm_rank(handle, &comm->rank) ||
			    weir_mpi_real.comm_size(handle, &comm->size)))
		comm->size = 0;
}

static uint64_t key_of_self(void)
{
	int rank = 0;

	if (weir_mpi_real.comm_rank(weir_mpi_flavour.world, &rank))
		rank = 0;
	return hash(weir_mpi_world_key(), SELF, (uint64_t)(uint32_t)rank);
}

struct weir_mpi_comm *weir_mpi_comm_find(long handle)
{
	uint32_t at = weir_book_find(&known, (uint64_t)handle);
	struct weir_mpi_comm *comm = at == WEIR_BOOK_NONE ? NULL : &comms[at];

	if (!comm && handle == weir_mpi_flavour.world)
		comm = add_comm(handle, weir_mpi_world_key());
	else if (!comm && handle == weir_mpi_flavour.self)
		comm = add_comm(handle, key_of_self());
	if (comm)
		learn_place(comm, handle);
	return comm;
}

void weir_mpi_comm_make(struct weir_mpi_comm *from, long made, int is_same,
			const void *next)
{
	uint32_t turn = from ? 1 + atomic_fetch_add(&from->parts, 1) : 0;
	uint64_t group = 0;

	if (!made || made == weir_mpi_cut(weir_mpi_flavour.comm_null))
		return;
	if (from && !is_same)
		group = weir_collkey_group(made, next);
	if (from && (is_same || group))
		add_comm(made, hash(from->key, turn, group));
	else
		weir_mpi_comm_forget(made);
}

void weir_mpi_comm_gather(struct weir_mpi_comm *from, int tag, long made,
			  const void *next)
{
	uint64_t group, team = 0;
	uint32_t at = WEIR_BOOK_NONE;

	if (!made || made == weir_mpi_cut(weir_mpi_flavour.comm_null))
		return;
	group = from ? weir_collkey_group(made, next) : 0;
	if (group) {
		team = hash(from->key ^ GATHERED, (uint64_t)(unsigned)tag,
			    group);
		at = weir_book_add(&teams, team);
	}
	if (at != WEIR_BOOK_NONE)
		add_comm(made,
			 hash(team, 1 + atomic_fetch_add(&gathered[at], 1), 0));
	else
		weir_mpi_comm_forget(made);
}

void weir_mpi_comm_forget(long handle)
{
	weir_book_remove(&known, (uint64_t)handle);
}

uint64_t weir_mpi_comm_open(long handle, const void *next)
{
	struct weir_mpi_comm *comm =
		weir_mpi_meet(next) ? weir_mpi_comm_find(weir_mpi_cut(handle))
				    : NULL;

	return comm ? hash(comm->key, 0, 1 + atomic_fetch_add(&comm->opens, 1))
		    : 0;
}
