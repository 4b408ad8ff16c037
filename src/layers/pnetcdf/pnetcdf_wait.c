/* SPDX-License-Identifier: BSD-3-Clause */
/* Role: requests are carried out, or taken back. */
#include "layers/pnetcdf/pnetcdf_call.h"
#include "layers/pnetcdf/pnetcdf_request.h"
#include "spec/calls.h"

bool weir_pnetcdf_wait_before(struct weir_layer *on,
			      struct weir_pnetcdf_args *args)
{
	if (!weir_pnetcdf_call_begin(on, args, -1))
		return false;
	args->waiting =
		weir_pnetcdf_request_chain(args->ncid, args->num, args->reqs);
	return true;
}

/* Of each request in a list there is a status, if the caller wants it. */
static int status_of(const struct weir_layer *on,
		     const struct weir_pnetcdf_args *args, uint32_t place)
{
	if (args->num > 0 && args->statuses && !on->args.failed)
		return args->statuses[place];
	return (int)on->args.ret;
}

/* What a wait that was refused did not do is still there in its list. */
static bool is_done(const struct weir_layer *on,
		    const struct weir_pnetcdf_args *args, uint32_t place)
{
	return !on->args.failed || args->num < 0 || args->reqs[place] < 0;
}

static void tell_done(struct weir_layer *on,
		      const struct weir_pnetcdf_args *args,
		      const struct weir_pnetcdf_request *request)
{
	int status = status_of(on, args, request->place);
	struct weir_args done = {
		.call = WEIR_CALL_NCMPI_DONE,
		.fd = -1,
		.size = request->bytes,
		.failed = status != 0,
		.err = -status,
	};
	struct weir_encoded *detail;

	if (!status && args->call != WEIR_CALL_NCMPI_CANCEL)
		done.ret = (long)request->bytes;
	detail = weir_layer_child_detail(on);
	weir_encode_unsigned(detail, request->id);
	weir_encode_unsigned(detail, args->found);
	weir_layer_derive(on, request->handle, &done);
}

/* How many of them are done, and with how many bytes in all. */
static void count_done(struct weir_layer *on, struct weir_pnetcdf_args *args)
{
	for (uint32_t at = args->waiting; at != WEIR_PNETCDF_NONE;) {
		const struct weir_pnetcdf_request *request =
			weir_pnetcdf_request_get(at);

		at = request->next;
		if (!is_done(on, args, request->place))
			continue;
		on->args.size += request->bytes;
		args->found++;
	}
}

void weir_pnetcdf_wait_after(struct weir_layer *on,
			     struct weir_pnetcdf_args *args)
{
	uint32_t at = args->waiting;

	count_done(on, args);
	while (at != WEIR_PNETCDF_NONE) {
		const struct weir_pnetcdf_request *request =
			weir_pnetcdf_request_get(at);
		uint32_t this = at;

		at = request->next;
		if (!is_done(on, args, request->place))
			continue;
		tell_done(on, args, request);
		weir_pnetcdf_request_remove(this);
	}
	weir_pnetcdf_call_result(
		on, args->call == WEIR_CALL_NCMPI_CANCEL ? 0 : on->args.size);
}
