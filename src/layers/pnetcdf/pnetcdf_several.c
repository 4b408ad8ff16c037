/* SPDX-License-Identifier: BSD-3-Clause */
/* Role: data of several variables are read or written by one call. */
#include "layers/pnetcdf/pnetcdf_call.h"
#include "layers/pnetcdf/pnetcdf_library.h"
#include "layers/pnetcdf/pnetcdf_transfer.h"

bool weir_pnetcdf_several_before(struct weir_layer *on,
				 struct weir_pnetcdf_args *args)
{
	return weir_pnetcdf_call_begin(on, args, -1);
}

static const long *row(const void *all, int i)
{
	return all ? ((const long *const *)all)[i] : NULL;
}

/* The i-th of the call's variables, as a call for it alone would say. */
static void add_one(struct weir_layer *on, struct weir_pnetcdf_args *args,
		    int i)
{
	struct weir_pnetcdf_args one = {
		.from = args->from,
		.ncid = args->ncid,
		.varid = args->varids[i],
		.shape = args->shape,
		.start = row(args->starts, i),
		.count = row(args->counts, i),
		.stride = row(args->strides, i),
	};
	const struct weir_pnetcdf_var *var =
		weir_pnetcdf_file_learn(on, one.from, one.ncid, one.varid);
	struct weir_pnetcdf_select sel;

	if (!var)
		return;
	weir_pnetcdf_select_start(&sel, var->shape.rank);
	weir_pnetcdf_transfer_add(&one, var, &sel);
	args->elements += sel.elements;
	args->runs += sel.runs;
	on->args.size += sel.elements * weir_pnetcdf_library_width(var->xtype);
}

/*
 * A call that was refused does not show where its lists can be read. The
 * record is the file's, also when a variable was met for the first time.
 */
void weir_pnetcdf_several_after(struct weir_layer *on,
				struct weir_pnetcdf_args *args)
{
	uint32_t handle = on->pass.handle;

	for (int i = 0; !on->args.failed && i < args->num; i++)
		add_one(on, args, i);
	weir_layer_about(on, handle);
	args->has_runs = args->runs != 0;
	weir_pnetcdf_call_result(on, on->args.size);
}
