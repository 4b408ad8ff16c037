/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles: calls that move data, and those that only ask or set. */
#include "layers/mpi/mpi_digest.h"
#include "layers/mpi/mpi_file.h"
#include "layers/mpi/mpi_info.h"
#include "layers/mpi/mpi_real.h"
#include "spec/calls.h"

#include <stdatomic.h>

#define SEEK_FROM_START 600 /* MPI_SEEK_SET */

/* The program wants no status, but how many bytes were moved we want. */
static void lend_status(struct weir_mpi_args *args)
{
	if (args->status == weir_mpi_flavour.no_status)
		args->status = &args->own;
}

static bool begin_transfer(struct weir_layer *on, struct weir_mpi_args *args)
{
	if (!weir_mpi_file_begin(on, args))
		return false;
	on->pass.flags |= WEIR_EVENT_RETSIZE;
	weir_mpi_file_locate(args);
	lend_status(args);
	return true;
}

static void end_transfer(struct weir_layer *on, struct weir_mpi_args *args)
{
	weir_mpi_file_place(on, args);
	weir_mpi_fault(on);
	on->args.size = weir_mpi_asked(on, args);
	if (!on->args.failed)
		on->args.ret = weir_mpi_moved(args->status);
}

bool weir_mpi_read_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	return begin_transfer(on, args);
}

void weir_mpi_read_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	end_transfer(on, args);
}

bool weir_mpi_write_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	if (!begin_transfer(on, args))
		return false;
	weir_mpi_digest_before(args);
	return true;
}

void weir_mpi_write_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	end_transfer(on, args);
	weir_mpi_digest_after(on, args);
}

bool weir_mpi_ask_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	return weir_mpi_file_begin(on, args);
}

void weir_mpi_ask_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	weir_mpi_fault(on);
}

bool weir_mpi_set_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	if (!weir_mpi_file_begin(on, args))
		return false;
	if (args->call == WEIR_CALL_MPI_FILE_SET_SIZE)
		weir_mpi_digest_resize(args);
	return true;
}

void weir_mpi_set_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	weir_mpi_fault(on);
	on->args.size = (uint64_t)args->off;
}

bool weir_mpi_hint_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	return weir_mpi_file_begin(on, args);
}

void weir_mpi_hint_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	weir_mpi_fault(on);
	args->asked = args->hints = "";
	if (on->args.failed)
		return;
	args->asked = weir_mpi_info_asked(args);
	args->hints = weir_mpi_info_made(args->fh);
	if (args->file)
		args->file->asked = weir_mpi_info_key(args->asked);
}

bool weir_mpi_seek_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	if (!weir_mpi_file_begin(on, args))
		return false;
	if (args->file && !args->shared)
		atomic_fetch_add(&args->file->turns, 1);
	return true;
}

void weir_mpi_seek_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	const struct weir_mpi_file *file = args->file;

	weir_mpi_fault(on);
	if (!file || !file->plain)
		return;
	on->args.has_off = true;
	on->args.off = args->off * file->etype;
	if (args->flags == SEEK_FROM_START)
		on->args.off += file->disp;
}
