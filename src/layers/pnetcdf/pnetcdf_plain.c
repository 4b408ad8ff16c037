/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the roles of calls on files, definitions and attributes. */
#include "layers/pnetcdf/pnetcdf.h"

#include "layers/collkey.h"
#include "layers/pnetcdf/pnetcdf_call.h"
#include "layers/pnetcdf/pnetcdf_library.h"
#include "layers/pnetcdf/pnetcdf_request.h"

#define ENOTNC (-51)
#define EBADID 33

int weir_pnetcdf_missing(void)
{
	return ENOTNC;
}

bool weir_pnetcdf_open_before(struct weir_layer *on,
			      struct weir_pnetcdf_args *args)
{
	bool begun;

	if (!args->path || !args->opened)
		return false;
	begun = weir_layer_begin(on, args->call, 0, args->frame);
	if (begun || !weir_layer_is_open(args->call)) {
		args->coll = weir_collkey_of("pnetcdf", args->comm, args->from);
		args->seq = !args->coll;
	}
	if (!begun)
		return false;
	args->path = weir_pnetcdf_file_plain(args->path);
	return true;
}

static void tell_version(const void *from)
{
	const char *version = weir_pnetcdf_library_version(from);

	if (version)
		weir_layer_trait("pnetcdf", version);
}

void weir_pnetcdf_open_after(struct weir_layer *on,
			     struct weir_pnetcdf_args *args)
{
	uint32_t handle;

	weir_pnetcdf_call_result(on, 0);
	if (on->args.failed)
		return;
	handle = weir_layer_handle(on, args->path);
	weir_layer_about(on, handle);
	weir_pnetcdf_file_open(*args->opened, handle, args->coll);
	weir_storage_ask(args->path, &args->on);
	tell_version(args->from);
}

bool weir_pnetcdf_close_before(struct weir_layer *on,
			       struct weir_pnetcdf_args *args)
{
	return weir_pnetcdf_call_begin(on, args, -1);
}

/* What was asked for and not waited for will never be seen done. */
void weir_pnetcdf_close_after(struct weir_layer *on,
			      struct weir_pnetcdf_args *args)
{
	weir_pnetcdf_call_result(on, 0);
	if (on->args.failed && on->args.err == EBADID)
		return;
	weir_pnetcdf_request_drop(args->ncid);
	weir_pnetcdf_file_close(args->ncid);
}

bool weir_pnetcdf_file_before(struct weir_layer *on,
			      struct weir_pnetcdf_args *args)
{
	return weir_pnetcdf_call_begin(on, args, -1);
}

void weir_pnetcdf_file_after(struct weir_layer *on,
			     struct weir_pnetcdf_args *args)
{
	weir_pnetcdf_call_result(on, 0);
	on->args.size = (uint64_t)args->room;
	args->name = weir_pnetcdf_call_text(on, args->name);
}

bool weir_pnetcdf_name_before(struct weir_layer *on,
			      struct weir_pnetcdf_args *args)
{
	if (!args->path || !weir_layer_begin(on, args->call, 0, args->frame))
		return false;
	args->path = weir_pnetcdf_file_plain(args->path);
	return true;
}

void weir_pnetcdf_name_after(struct weir_layer *on,
			     struct weir_pnetcdf_args *args)
{
	weir_pnetcdf_call_result(on, 0);
}

bool weir_pnetcdf_object_before(struct weir_layer *on,
				struct weir_pnetcdf_args *args)
{
	return weir_pnetcdf_call_begin(on, args, args->varid);
}

static void tell_names(struct weir_layer *on, struct weir_pnetcdf_args *args)
{
	weir_pnetcdf_call_var(on, args);
	args->name = weir_pnetcdf_call_text(on, args->name);
	args->newname = weir_pnetcdf_call_text(on, args->newname);
}

void weir_pnetcdf_object_after(struct weir_layer *on,
			       struct weir_pnetcdf_args *args)
{
	tell_names(on, args);
	weir_pnetcdf_call_result(on, 0);
}

bool weir_pnetcdf_rename_before(struct weir_layer *on,
				struct weir_pnetcdf_args *args)
{
	return weir_pnetcdf_object_before(on, args);
}

/* The record is of the variable as it was called. */
void weir_pnetcdf_rename_after(struct weir_layer *on,
			       struct weir_pnetcdf_args *args)
{
	weir_pnetcdf_call_result(on, 0);
	args->name = weir_pnetcdf_call_text(on, args->name);
	weir_pnetcdf_file_forget(args->ncid, args->varid);
}

bool weir_pnetcdf_attribute_before(struct weir_layer *on,
				   struct weir_pnetcdf_args *args)
{
	return weir_pnetcdf_object_before(on, args);
}

/*
 * Who reads an attribute does not say how long it is, but the library knows;
 * what was written is as it knows it too.
 */
void weir_pnetcdf_attribute_after(struct weir_layer *on,
				  struct weir_pnetcdf_args *args)
{
	if (!on->args.failed)
		on->args.size = weir_pnetcdf_library_attribute(
			args->from, args->ncid, args->varid, args->name);
	tell_names(on, args);
	weir_pnetcdf_call_result(on, on->args.size);
}

bool weir_pnetcdf_fill_before(struct weir_layer *on,
			      struct weir_pnetcdf_args *args)
{
	return weir_pnetcdf_object_before(on, args);
}

/* All of the variable but the dimension that grows. */
void weir_pnetcdf_fill_after(struct weir_layer *on,
			     struct weir_pnetcdf_args *args)
{
	const struct weir_pnetcdf_var *var = weir_pnetcdf_call_var(on, args);
	uint64_t bytes = var ? weir_pnetcdf_library_width(var->xtype) : 0;

	for (int d = 1; var && d < var->shape.rank; d++)
		bytes *= d < WEIR_PNETCDF_DIMS ? (uint64_t)var->shape.dims[d]
					       : 0;
	on->args.size = bytes;
	weir_pnetcdf_call_result(on, bytes);
}
