/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles: files are opened, closed and deleted. */
#include "layers/collkey.h"
#include "layers/mpi/mpi_digest.h"
#include "layers/mpi/mpi_file.h"
#include "layers/mpi/mpi_info.h"
#include "layers/mpi/mpi_real.h"

#include <string.h>

/* What says which driver of ROMIO is to be used, before the name. */
static const char *const drivers[] = {
	"ufs:",	    "nfs:",   "xfs:",	 "gpfs:",	"lustre:",
	"panfs:",   "pvfs2:", "testfs:", "daos:",	"ime:",
	"quobyte:", "pvfs:",  "bg:",	 "bglockless:",
};

const char *weir_mpi_without_driver(const char *name)
{
	for (size_t i = 0; i < sizeof(drivers) / sizeof(*drivers); i++) {
		size_t len = strlen(drivers[i]);

		if (!strncmp(name, drivers[i], len))
			return name + len;
	}
	return name;
}

static bool begin_by_name(struct weir_layer *on, struct weir_mpi_args *args)
{
	return args->name && weir_mpi_meet(args->from) &&
	       weir_layer_begin(on, args->call, 0, args->frame);
}

bool weir_mpi_open_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	bool begun;

	args->name = args->path;
	begun = begin_by_name(on, args);
	if (!begun && (!args->name || weir_layer_is_open(args->call)))
		return false;
	/* Recorded here or not: other ranks number theirs likewise. */
	args->coll = weir_collkey_of("mpiio", args->comm, args->from);
	args->seq = !args->coll;
	if (!begun)
		return false;
	args->name = weir_mpi_without_driver(args->name);
	weir_mpi_gathers(&(struct weir_mpi_change){ .from = args->from,
						    .comm = args->comm });
	return true;
}

/* Every file begins with a view of plain bytes. */
static void remember_file(struct weir_layer *on, struct weir_mpi_args *args)
{
	struct weir_mpi_file *file = weir_mpi_file_add(*args->opened);
	uint32_t handle = weir_layer_handle(on, args->name);

	if (!file)
		return;
	file->handle = handle;
	file->coll = args->coll;
	if (weir_mpi_real.comm_rank(weir_mpi_cut(args->comm), &file->rank) ||
	    weir_mpi_real.comm_size(weir_mpi_cut(args->comm), &file->ranks))
		file->ranks = 0;
	file->asked = weir_mpi_info_key(args->asked);
	file->plain = true;
	file->etype = 1;
	weir_mpi_digest_open(file, args->name);
}

void weir_mpi_open_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	weir_mpi_fault(on);
	args->asked = args->hints = "";
	if (on->args.failed)
		return;
	args->asked = weir_mpi_info_asked(args);
	args->hints = weir_mpi_info_made(*args->opened);
	weir_storage_ask(args->name, &args->on);
	remember_file(on, args);
}

bool weir_mpi_close_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	args->fh = args->opened ? *args->opened : weir_mpi_flavour.file_null;
	if (!weir_mpi_file_begin(on, args))
		return false;
	weir_mpi_digest_close(args->file);
	/* The MPI may give its place to another file before we are back. */
	weir_mpi_file_remove(args->fh);
	return true;
}

void weir_mpi_close_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	weir_mpi_fault(on);
}

bool weir_mpi_name_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	if (!begin_by_name(on, args))
		return false;
	args->name = weir_mpi_without_driver(args->name);
	return true;
}

void weir_mpi_name_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	weir_mpi_fault(on);
}
