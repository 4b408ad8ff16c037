/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles: data of one variable are read or written. */
#include "layers/pnetcdf/pnetcdf_transfer.h"

#include "layers/pnetcdf/pnetcdf_call.h"
#include "layers/pnetcdf/pnetcdf_library.h"

typedef const long *const *rows;

static const long *row(const void *all, int i)
{
	return all ? ((rows)all)[i] : NULL;
}

/* What grows is as long as it is now. */
static void add_whole(const struct weir_pnetcdf_args *args,
		      const struct weir_pnetcdf_var *var,
		      struct weir_pnetcdf_select *sel)
{
	int64_t count[WEIR_PNETCDF_DIMS];

	if (var->shape.rank > WEIR_PNETCDF_DIMS)
		return;
	for (int d = 0; d < var->shape.rank; d++)
		count[d] = var->shape.dims[d];
	if (var->growing >= 0)
		count[0] = weir_pnetcdf_library_length(args->from, args->ncid,
						       var->growing);
	weir_pnetcdf_select_add(sel, &var->shape, NULL, count, NULL);
}

static void add_box(const struct weir_pnetcdf_args *args,
		    const struct weir_pnetcdf_var *var,
		    struct weir_pnetcdf_select *sel)
{
	weir_pnetcdf_select_add(sel, &var->shape, args->start, args->count,
				args->stride);
}

static void add_boxes(const struct weir_pnetcdf_args *args,
		      const struct weir_pnetcdf_var *var,
		      struct weir_pnetcdf_select *sel)
{
	for (int i = 0; i < args->num; i++)
		weir_pnetcdf_select_add(sel, &var->shape, row(args->starts, i),
					row(args->counts, i), NULL);
}

/* Where a datatype goes is its own affair; how much it takes is known. */
static void add_by_type(const struct weir_pnetcdf_args *args,
			const struct weir_pnetcdf_var *var,
			struct weir_pnetcdf_select *sel)
{
	unsigned int width = weir_pnetcdf_library_width(var->xtype);

	if (width)
		sel->elements +=
			weir_pnetcdf_library_bytes(args->from, args->filetype) /
			width;
}

void weir_pnetcdf_transfer_add(const struct weir_pnetcdf_args *args,
			       const struct weir_pnetcdf_var *var,
			       struct weir_pnetcdf_select *sel)
{
	static void (*const add[])(const struct weir_pnetcdf_args *,
				   const struct weir_pnetcdf_var *,
				   struct weir_pnetcdf_select *) = {
		[WEIR_PNETCDF_WHOLE] = add_whole,
		[WEIR_PNETCDF_BOX] = add_box,
		[WEIR_PNETCDF_BOXES] = add_boxes,
		[WEIR_PNETCDF_BY_TYPE] = add_by_type,
	};

	add[args->shape](args, var, sel);
}

/* Whether what says which part it is can be read, if the call failed. */
static bool can_tell(const struct weir_layer *on,
		     const struct weir_pnetcdf_args *args,
		     const struct weir_pnetcdf_var *var)
{
	size_t bytes = (size_t)var->shape.rank * sizeof(long);

	if (!on->args.failed || args->shape == WEIR_PNETCDF_WHOLE || !bytes)
		return true;
	return args->shape == WEIR_PNETCDF_BOX &&
	       weir_readable_probe(args->start, bytes) &&
	       (!args->count || weir_readable_probe(args->count, bytes)) &&
	       (!args->stride || weir_readable_probe(args->stride, bytes));
}

const struct weir_pnetcdf_var *
weir_pnetcdf_transfer_tell(struct weir_layer *on,
			   struct weir_pnetcdf_args *args)
{
	const struct weir_pnetcdf_var *var = weir_pnetcdf_call_var(on, args);
	struct weir_pnetcdf_select sel;

	args->extent = "";
	if (!var || !can_tell(on, args, var))
		return var;
	weir_pnetcdf_select_start(&sel, var->shape.rank);
	weir_pnetcdf_transfer_add(args, var, &sel);
	weir_pnetcdf_select_spell(&sel, args->spelled);
	args->extent = args->spelled;
	args->elements = sel.elements;
	args->runs = sel.runs;
	args->has_runs = sel.runs != 0;
	args->xtype = var->xtype;
	on->args.size = sel.elements * weir_pnetcdf_library_width(var->xtype);
	return var;
}

bool weir_pnetcdf_transfer_before(struct weir_layer *on,
				  struct weir_pnetcdf_args *args)
{
	return weir_pnetcdf_call_begin(on, args, args->varid);
}

void weir_pnetcdf_transfer_after(struct weir_layer *on,
				 struct weir_pnetcdf_args *args)
{
	weir_pnetcdf_transfer_tell(on, args);
	weir_pnetcdf_call_result(on, on->args.size);
}
