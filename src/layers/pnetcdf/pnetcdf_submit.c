/* SPDX-License-Identifier: BSD-3-Clause */
/* Role: data are to be read or written by the next wait. */
#include "layers/pnetcdf/pnetcdf_call.h"
#include "layers/pnetcdf/pnetcdf_request.h"
#include "layers/pnetcdf/pnetcdf_transfer.h"

bool weir_pnetcdf_submit_before(struct weir_layer *on,
				struct weir_pnetcdf_args *args)
{
	if (!weir_pnetcdf_call_begin(on, args, args->varid))
		return false;
	/* who leaves it out waits for all there is */
	if (!args->req)
		args->req = &args->own_req;
	return true;
}

/* What takes no elements has no request. */
void weir_pnetcdf_submit_after(struct weir_layer *on,
			       struct weir_pnetcdf_args *args)
{
	const struct weir_pnetcdf_var *var =
		weir_pnetcdf_transfer_tell(on, args);
	int number = on->args.failed ? -1 : *args->req;

	weir_pnetcdf_call_result(on, 0);
	if (!var || number < 0)
		return;
	args->id = weir_pnetcdf_request_id(args->ncid, number);
	weir_pnetcdf_request_add(&(struct weir_pnetcdf_request){
		.id = args->id,
		.bytes = on->args.size,
		.handle = var->handle,
		.next = WEIR_PNETCDF_NONE,
		.ncid = args->ncid,
		.number = number,
		.writes = args->writes,
	});
}
