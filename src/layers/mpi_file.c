/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of an open MPI file, and of where it is used. */
#include "layers/mpi_file.h"

#include "base/hash.h"
#include "layers/mpi_real.h"

#include <stdatomic.h>
#include <string.h>

#define RANKS_AT_ONCE 128

static struct weir_book book;
static struct weir_mpi_file files[WEIR_BOOK_ROOM];
static struct weir_book opens; /* groups and names */
static _Atomic uint32_t opened[WEIR_BOOK_ROOM];

struct weir_mpi_file *weir_mpi_file_find(long fh)
{
	uint32_t at = weir_book_find(&book, (uint64_t)fh);

	return at == WEIR_BOOK_NONE ? NULL : &files[at];
}

struct weir_mpi_file *weir_mpi_file_add(long fh)
{
	uint32_t at = weir_book_add(&book, (uint64_t)fh);

	if (at == WEIR_BOOK_NONE)
		return NULL;
	memset(&files[at], 0, sizeof(files[at]));
	return &files[at];
}

void weir_mpi_file_remove(long fh)
{
	weir_book_remove(&book, (uint64_t)fh);
}

bool weir_mpi_file_begin(struct weir_layer *on, struct weir_mpi_args *args)
{
	if (!weir_mpi_meet(args->from) ||
	    args->fh == weir_mpi_flavour.file_null)
		return false;
	args->file = weir_mpi_file_find(args->fh);
	if (!weir_layer_begin(on, args->call,
			      args->file ? args->file->handle : 0, args->frame))
		return false;
	if (args->collective && args->file) {
		args->coll = args->file->coll;
		args->seq = 1 + atomic_fetch_add(&args->file->seq, 1);
	}
	return true;
}

void weir_mpi_file_locate(struct weir_mpi_args *args)
{
	struct weir_mpi_file *file = args->file;

	if (args->shared || args->placed || !file)
		return;
	args->turn = 0;
	if (!atomic_fetch_add(&file->inside, 1))
		args->turn = 1 + atomic_fetch_add(&file->turns, 1);
	else
		atomic_fetch_add(&file->turns, 1);
	if (weir_mpi_real.get_position(args->fh, &args->off))
		args->turn = 0;
}

/* Nobody else has moved the rank's own pointer meanwhile. */
static bool was_alone(struct weir_mpi_args *args)
{
	struct weir_mpi_file *file = args->file;

	atomic_fetch_sub(&file->inside, 1);
	return args->turn && atomic_load(&file->turns) == args->turn;
}

void weir_mpi_file_place(struct weir_layer *on, struct weir_mpi_args *args)
{
	const struct weir_mpi_file *file = args->file;

	args->brief = true;
	if (args->shared || !file || (!args->placed && !was_alone(args)))
		return;
	if (file->plain) {
		on->args.has_off = true;
		on->args.off = file->disp + args->off * file->etype;
		return;
	}
	args->at = args->off;
	args->has_at = true;
	args->brief = false;
}

/* The same in whatever order the ranks are. */
static uint64_t hash_ranks(long group, long world, int size)
{
	int ranks[RANKS_AT_ONCE], places[RANKS_AT_ONCE];
	uint64_t sum = 0;

	for (int i = 0; i < size; i += RANKS_AT_ONCE) {
		int n = size - i < RANKS_AT_ONCE ? size - i : RANKS_AT_ONCE;

		for (int k = 0; k < n; k++)
			ranks[k] = i + k;
		if (weir_mpi_real.group_translate(group, n, ranks, world,
						  places))
			return 0;
		for (int k = 0; k < n; k++)
			sum += weir_hash_bytes(&places[k], sizeof(*places));
	}
	return sum;
}

static uint64_t hash_group(long comm)
{
	long group = 0, world = 0;
	uint64_t sum = 0;
	int size = 0;

	if (weir_mpi_real.comm_group(comm, &group))
		return 0;
	if (!weir_mpi_real.comm_group(weir_mpi_flavour.world, &world)) {
		if (!weir_mpi_real.group_size(group, &size))
			sum = hash_ranks(group, world, size);
		weir_mpi_real.group_free(&world);
	}
	weir_mpi_real.group_free(&group);
	return sum;
}

uint64_t weir_mpi_file_key(long comm, const char *name)
{
	uint64_t parts[] = { hash_group(comm),
			     weir_hash_bytes(name, strlen(name)), 0 };
	uint64_t which = weir_hash_bytes(parts, sizeof(parts));
	uint32_t at = weir_book_add(&opens, which);

	if (at != WEIR_BOOK_NONE)
		parts[2] = 1 + atomic_fetch_add(&opened[at], 1);
	return weir_hash_bytes(parts, sizeof(parts));
}
