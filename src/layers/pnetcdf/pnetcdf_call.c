/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what all roles of PnetCDF's calls have in common. */
#include "layers/pnetcdf/pnetcdf_call.h"

#include <stdatomic.h>

static uint32_t handle_of(int ncid, int varid)
{
	const struct weir_pnetcdf_file *file = weir_pnetcdf_file_find(ncid);
	const struct weir_pnetcdf_var *var =
		varid < 0 ? NULL : weir_pnetcdf_file_var(ncid, varid);

	if (var)
		return var->handle;
	return file ? file->handle : 0;
}

bool weir_pnetcdf_call_begin(struct weir_layer *on,
			     struct weir_pnetcdf_args *args, int varid)
{
	struct weir_pnetcdf_file *file = weir_pnetcdf_file_find(args->ncid);
	bool begun = weir_layer_begin(on, args->call,
				      handle_of(args->ncid, varid),
				      args->frame);

	if (args->collective && (begun || !weir_layer_is_open(args->call))) {
		args->coll = file ? file->coll : 0;
		args->seq = file ? 1 + atomic_fetch_add(&file->seq, 1) : 1;
	}
	return begun;
}

void weir_pnetcdf_call_result(struct weir_layer *on, uint64_t bytes)
{
	if (on->args.failed)
		on->args.err = (int)-on->args.ret;
	on->args.ret = on->args.failed ? 0 : (long)bytes;
}

const struct weir_pnetcdf_var *
weir_pnetcdf_call_var(struct weir_layer *on,
		      const struct weir_pnetcdf_args *args)
{
	const struct weir_pnetcdf_var *var = weir_pnetcdf_file_learn(
		on, args->from, args->ncid, args->varid);

	if (var)
		weir_layer_about(on, var->handle);
	return var;
}

const char *weir_pnetcdf_call_text(const struct weir_layer *on,
				   const char *text)
{
	return weir_readable_is_there(&on->args, text) ? text : "";
}
