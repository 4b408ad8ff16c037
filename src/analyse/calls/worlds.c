/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the ranks of several jobs in one trace apart. */
#include "analyse/calls/worlds.h"

#include "base/hash.h"
#include "trace/bytes/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct weir_worlds_place {
	uint64_t seat; /* of a rank in a world; 0: it is no rank of MPI */
	uint64_t salt;
	bool is_twin;
};

static uint64_t hash_text(const char *text)
{
	return text ? weir_hash_bytes(text, strlen(text)) : 0;
}

/* Who has the variables of a launcher is a rank only once MPI has begun. */
static void take_seat(struct weir_worlds_place *place,
		      const struct weir_procinfo *process)
{
	const char *world = weir_procinfo_tells(process, "world");
	int64_t rank = weir_procinfo_rank(process);
	uint64_t parts[2] = { 0, (uint64_t)rank };

	if (rank < 0 || !weir_procinfo_tells(process, "mpi"))
		return;
	if (!world)
		place->salt = hash_text(weir_procinfo_tells(process, "job"));
	parts[0] = world ? hash_text(world) : place->salt;
	place->seat = weir_hash_numbers(parts, sizeof(parts));
}

static uint64_t hash_pid(uint32_t node, uint32_t pid)
{
	uint64_t parts[2] = { node, pid };

	return weir_hash_numbers(parts, sizeof(parts));
}

/* Whom a rank forks is told to be what it is itself, and makes no such call. */
static int leave_copies(struct weir_worlds *all,
			const struct weir_reader *reader)
{
	struct weir_map seats = { 0 };
	int err = 0;

	for (uint32_t proc = 1; !err && proc < all->count; proc++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, proc);

		if (process && all->places[proc].seat)
			err = weir_map_put(
				&seats, hash_pid(process->node, process->pid),
				all->places[proc].seat);
	}
	for (uint32_t proc = 1; !err && proc < all->count; proc++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, proc);

		if (process && all->places[proc].seat &&
		    weir_map_get(&seats,
				 hash_pid(process->node, process->ppid)) ==
			    all->places[proc].seat)
			all->places[proc].salt = all->places[proc].seat = 0;
	}
	weir_map_fini(&seats);
	return err;
}

static int find_twins(struct weir_worlds *all)
{
	struct weir_map taken = { 0 };
	int err = 0;

	for (uint32_t proc = 1; !err && proc < all->count; proc++) {
		uint64_t seat = all->places[proc].seat;
		uint64_t first = seat ? weir_map_get(&taken, seat) : 0;

		if (first)
			all->places[first].is_twin = all->places[proc].is_twin =
				true;
		else if (seat)
			err = weir_map_put(&taken, seat, proc);
	}
	weir_map_fini(&taken);
	return err;
}

int weir_worlds_init(struct weir_worlds *all, const struct weir_reader *reader)
{
	size_t count = reader ? (size_t)weir_reader_processes(reader) + 1 : 1;
	int err;

	*all = (struct weir_worlds){ .count = count };
	all->places = calloc(count, sizeof(*all->places));
	if (!all->places)
		return -ENOMEM;
	for (uint32_t proc = 1; proc < count; proc++) {
		const struct weir_procinfo *process =
			weir_reader_process(reader, proc);

		if (process)
			take_seat(&all->places[proc], process);
	}
	err = leave_copies(all, reader);
	return err ? err : find_twins(all);
}

void weir_worlds_fini(struct weir_worlds *all)
{
	free(all->places);
	*all = (struct weir_worlds){ 0 };
}

uint64_t weir_worlds_salt(const struct weir_worlds *all, uint32_t proc)
{
	return all->places && proc < all->count ? all->places[proc].salt : 0;
}

bool weir_worlds_is_twin(const struct weir_worlds *all, uint32_t proc)
{
	return all->places && proc < all->count && all->places[proc].is_twin;
}
