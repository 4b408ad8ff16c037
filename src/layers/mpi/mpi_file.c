/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows the open MPI files, and where each is used. */
#include "layers/mpi/mpi_file.h"

#include "layers/mpi/mpi_real.h"

#include <stdatomic.h>
#include <string.h>

static struct weir_book book;
static struct weir_mpi_file files[WEIR_BOOK_ROOM];

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

/* Recorded here or not: other ranks number theirs likewise. */
static void number_call(struct weir_mpi_args *args)
{
	args->seq = 1;
	if (!args->file)
		return;
	args->coll = args->file->coll;
	args->seq += atomic_fetch_add(&args->file->seq, 1);
	weir_mpi_messages_together(args);
}

bool weir_mpi_file_begin(struct weir_layer *on, struct weir_mpi_args *args)
{
	bool begun;

	if (!weir_mpi_meet(args->from) ||
	    args->fh == weir_mpi_flavour.file_null)
		return false;
	args->file = weir_mpi_file_find(args->fh);
	begun = weir_layer_begin(on, args->call,
				 args->file ? args->file->handle : 0,
				 args->frame);
	if (args->collective && (begun || !weir_layer_is_open(args->call)))
		number_call(args);
	return begun;
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
