/* SPDX-License-Identifier: BSD-3-Clause */
/* Names collective calls alike in all ranks, without asking them. */
#include "layers/collkey.h"

#include "base/hash.h"
#include "layers/layers.h"

#include <stdbool.h>
#include <string.h>

#define RANKS_AT_ONCE 128
#define MPICH_WORLD   0x44000000 /* a number; Open MPI has an object */

/* Local functions of MPI, by the names that nobody intercepts. */
struct mpi {
	int (*initialized)(int *flag);
	int (*comm_group)(long comm, long *group);
	int (*group_size)(long group, int *size);
	int (*translate)(long group, int n, const int *ranks, long other,
			 int *others);
	int (*group_free)(long *group);
	long world;
};

/* Who began by a session has none, and must not be asked for it. */
static bool has_world(const struct mpi *mpi)
{
	int flag = 0;

	return !mpi->initialized(&flag) && flag;
}

static bool meet_mpi(struct mpi *mpi, const void *from)
{
	void *world = weir_layers_object("ompi_mpi_comm_world", from);

	mpi->world = world ? (long)world : MPICH_WORLD;
	mpi->initialized = weir_layers_sibling("PMPI_Initialized", from);
	mpi->comm_group = weir_layers_sibling("PMPI_Comm_group", from);
	mpi->group_size = weir_layers_sibling("PMPI_Group_size", from);
	mpi->translate =
		weir_layers_sibling("PMPI_Group_translate_ranks", from);
	mpi->group_free = weir_layers_sibling("PMPI_Group_free", from);
	return mpi->initialized && mpi->comm_group && mpi->group_size &&
	       mpi->translate && mpi->group_free && has_world(mpi);
}

/* The same in whatever order the ranks are. */
static uint64_t hash_ranks(const struct mpi *mpi, long group, long world,
			   int size)
{
	int ranks[RANKS_AT_ONCE], places[RANKS_AT_ONCE];
	uint64_t sum = 0;

	for (int i = 0; i < size; i += RANKS_AT_ONCE) {
		int n = size - i < RANKS_AT_ONCE ? size - i : RANKS_AT_ONCE;

		for (int k = 0; k < n; k++)
			ranks[k] = i + k;
		if (mpi->translate(group, n, ranks, world, places))
			return 0;
		for (int k = 0; k < n; k++)
			sum += weir_hash_bytes(&places[k], sizeof(*places));
	}
	return sum;
}

static uint64_t hash_group(const struct mpi *mpi, long comm)
{
	long group = 0, world = 0;
	uint64_t sum = 0;
	int size = 0;

	if (mpi->comm_group(comm, &group))
		return 0;
	if (!mpi->comm_group(mpi->world, &world)) {
		if (!mpi->group_size(group, &size))
			sum = hash_ranks(mpi, group, world, size);
		mpi->group_free(&world);
	}
	mpi->group_free(&group);
	return sum;
}

uint64_t weir_collkey_group(long comm, const void *from)
{
	struct mpi mpi;

	return meet_mpi(&mpi, from) ? hash_group(&mpi, comm) : 0;
}

uint32_t weir_collkey_ranks(long comm, const void *from)
{
	struct mpi mpi;
	long group = 0;
	int size = 0;

	if (!meet_mpi(&mpi, from) || mpi.comm_group(comm, &group))
		return 0;
	if (mpi.group_size(group, &size))
		size = 0;
	mpi.group_free(&group);
	return (uint32_t)size;
}

/* Where MPI is not recorded, nobody sees communicators being made. */
uint64_t weir_mpi_comm_open(long comm, const void *next)
	__attribute__((weak));

uint64_t weir_collkey_of(const char *layer, long comm, const void *from)
{
	uint64_t parts[2] = { weir_hash_bytes(layer, strlen(layer)), 0 };

	if (weir_mpi_comm_open)
		parts[1] = weir_mpi_comm_open(comm, from);
	return parts[1] ? weir_hash_numbers(parts, sizeof(parts)) : 0;
}
