/* SPDX-License-Identifier: BSD-3-Clause */
/* Role: a rank says which part of a file it sees. */
#include "layers/mpi/mpi_digest.h"
#include "layers/mpi/mpi_file.h"
#include "layers/mpi/mpi_info.h"
#include "layers/mpi/mpi_real.h"
#include "layers/mpi/mpi_shape.h"

#include <stdatomic.h>
#include <string.h>

bool weir_mpi_view_before(struct weir_layer *on, struct weir_mpi_args *args)
{
	return weir_mpi_file_begin(on, args);
}

static void forget_types(struct weir_mpi_args *args)
{
	args->etype = 0;
	args->filetype = 0;
	args->rep = "";
}

/* Where a file begins that is only ever added to, nobody knows. */
static bool has_place(const struct weir_mpi_args *args)
{
	return args->off >= 0 && args->rep && !strcmp(args->rep, "native");
}

/*
 * Libraries hand over the same hints with each of many views: what was asked
 * for before is not told again.
 */
static void tell_hints(struct weir_mpi_args *args)
{
	uint64_t before = args->file ? args->file->asked : 0, key;

	args->asked = weir_mpi_info_asked(args);
	key = weir_mpi_info_key(args->asked);
	if (!key || key == before) {
		args->asked = "";
		return;
	}
	args->hints = weir_mpi_info_made(args->fh);
	if (args->file)
		args->file->asked = key;
}

/*
 * Offsets of later calls count from this view: `turns` tells a call that
 * another thread has set a view meanwhile, so that its place is not known.
 */
void weir_mpi_view_after(struct weir_layer *on, struct weir_mpi_args *args)
{
	struct weir_mpi_shape shape;
	long etype = 0;

	weir_mpi_fault(on);
	args->asked = args->hints = "";
	if (on->args.failed) {
		forget_types(args);
		return;
	}
	tell_hints(args);
	weir_mpi_digest_view(args);
	shape = weir_mpi_shape_of(args->filetype);
	weir_mpi_real.type_size(args->etype, &etype);
	if (args->file) {
		args->file->plain =
			weir_mpi_shape_is_plain(&shape) && has_place(args);
		args->file->disp = args->off;
		args->file->etype = etype;
		atomic_fetch_add(&args->file->turns, 1);
	}
	on->args.has_off = args->off >= 0;
	on->args.off = args->off;
	args->etype = etype;
	args->filetype = shape.size;
	args->extent = shape.extent;
	args->runs = shape.runs;
	args->has_runs = shape.runs != 0;
}
