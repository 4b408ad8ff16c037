/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums up messages and collective calls between ranks. */
#include "base/hash.h"
#include "capture/messages.h"
#include "layers/layers.h"
#include "layers/mpi/mpi_comm.h"
#include "layers/mpi/mpi_file.h"
#include "layers/mpi/mpi_real.h"

#include <stdatomic.h>

/* What MPI does within itself is not the program's doing. */
static bool is_inside(const struct weir_mpi_change *change)
{
	uintptr_t low, high, at = (uintptr_t)change->caller;

	return weir_layers_span(change->from, &low, &high) && at >= low &&
	       at < high;
}

static bool is_taken(const struct weir_mpi_change *change)
{
	return weir_messages_are_wanted() && !is_inside(change) &&
	       weir_mpi_meet(change->from);
}

static void doubt(uint32_t doubts)
{
	weir_messages_add(&(struct weir_messages){ .doubts = doubts });
}

static uint64_t hash(uint64_t one, uint64_t two, uint64_t three)
{
	uint64_t parts[3] = { one, two, three };

	return weir_hash_numbers(parts, sizeof(parts));
}

/* NULL: nobody knows who is in it. */
static struct weir_mpi_comm *find_comm(const struct weir_mpi_change *change)
{
	long handle = weir_mpi_cut(change->comm);
	struct weir_mpi_comm *comm = NULL;

	if (handle == weir_mpi_flavour.self)
		return NULL;
	comm = weir_mpi_comm_find(handle);
	if (comm && comm->size)
		return comm;
	doubt(WEIR_MESSAGES_STRANGE);
	return NULL;
}

static uint64_t message(const struct weir_mpi_comm *comm, int from, int to,
			int tag)
{
	return hash(comm->key, (uint64_t)(uint32_t)from << 32 | (uint32_t)to,
		    (uint64_t)(uint32_t)tag);
}

static void send(const struct weir_mpi_comm *comm, int dest, int tag)
{
	if (dest != weir_mpi_flavour.nobody)
		weir_messages_add(&(struct weir_messages){
			.direct = message(comm, comm->rank, dest, tag) });
}

static void receive(const struct weir_mpi_comm *comm, int source, int tag)
{
	if (source == weir_mpi_flavour.nobody)
		return;
	if (source < 0 || tag < 0)
		doubt(WEIR_MESSAGES_ANY);
	else
		weir_messages_receive(message(comm, source, comm->rank, tag));
}

void weir_mpi_sends(const struct weir_mpi_change *change)
{
	const struct weir_mpi_comm *comm =
		is_taken(change) ? find_comm(change) : NULL;

	if (comm)
		send(comm, change->dest, change->tag);
}

void weir_mpi_receives(const struct weir_mpi_change *change)
{
	const struct weir_mpi_comm *comm =
		is_taken(change) ? find_comm(change) : NULL;

	if (comm)
		receive(comm, change->source, change->tag);
}

void weir_mpi_exchanges(const struct weir_mpi_change *change)
{
	const struct weir_mpi_comm *comm =
		is_taken(change) ? find_comm(change) : NULL;

	if (!comm)
		return;
	send(comm, change->dest, change->tag);
	receive(comm, change->source, change->tag2);
}

void weir_mpi_probes(const struct weir_mpi_change *change)
{
	const struct weir_mpi_comm *comm =
		is_taken(change) ? find_comm(change) : NULL;

	if (!comm || change->source == weir_mpi_flavour.nobody)
		return;
	if (change->source < 0 || change->tag < 0)
		doubt(WEIR_MESSAGES_ANY);
	else
		weir_messages_probe(
			message(comm, change->source, comm->rank, change->tag));
}

/* Who waits for whom cannot be told from the calls. */
void weir_mpi_hides(const struct weir_mpi_change *change)
{
	if (is_taken(change))
		doubt(WEIR_MESSAGES_HIDDEN);
}

/* A call that all make: the first rank has as many as all others. */
static void gather_to_first(uint64_t key, uint64_t turn, int rank, int size)
{
	uint64_t one = hash(key, turn, 0);

	weir_messages_add(&(struct weir_messages){
		.balance = rank ? -one : one * (uint64_t)(size - 1),
		.together = one,
	});
}

void weir_mpi_gathers(const struct weir_mpi_change *change)
{
	struct weir_mpi_comm *comm =
		is_taken(change) ? find_comm(change) : NULL;

	if (comm && comm->size > 1)
		gather_to_first(comm->key,
				1 + atomic_fetch_add(&comm->calls, 1),
				comm->rank, comm->size);
}

void weir_mpi_messages_together(const struct weir_mpi_args *args)
{
	const struct weir_mpi_file *file = args->file;

	if (args->coll && file && file->ranks > 1 && weir_messages_are_wanted())
		gather_to_first(args->coll, hash(args->seq, args->call, 1),
				file->rank, file->ranks);
}

/*
 * After it: all ranks of the old one have made as many of it before. Whether
 * messages are wanted or not: files are told apart by their communicators.
 */
void weir_mpi_parts(const struct weir_mpi_change *change)
{
	if (change->made && !is_inside(change) && weir_mpi_meet(change->from))
		weir_mpi_comm_make(
			weir_mpi_comm_find(weir_mpi_cut(change->comm)),
			weir_mpi_handle_at(change->made, 0), change->same,
			change->from);
}

/* Only ranks of the new one make the call. */
void weir_mpi_groups(const struct weir_mpi_change *change)
{
	if (change->made && !is_inside(change) && weir_mpi_meet(change->from))
		weir_mpi_comm_gather(
			weir_mpi_comm_find(weir_mpi_cut(change->comm)),
			change->tag, weir_mpi_handle_at(change->made, 0),
			change->from);
}

/* Ranks take part that the old one does not have. */
void weir_mpi_mixes(const struct weir_mpi_change *change)
{
	if (change->made && weir_mpi_meet(change->from))
		weir_mpi_comm_forget(weir_mpi_handle_at(change->made, 0));
}

/* Its number may be given again. */
void weir_mpi_frees(const struct weir_mpi_change *change)
{
	if (change->made && weir_mpi_meet(change->from))
		weir_mpi_comm_forget(weir_mpi_handle_at(change->made, 0));
}
