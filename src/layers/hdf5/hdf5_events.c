/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roles: operations are handed to an event set, and calls see them end. HDF5
 * tells how many of a set are not over, never which: their ends are told when
 * none is left. What a call may tell of was in the set before it began.
 */
#include "layers/hdf5/hdf5_object.h"
#include "layers/hdf5/hdf5_pending.h"
#include "spec/calls.h"

/* As hdf5_done tells it. */
enum end { DONE, FAILED, CANCELLED, NOT_KNOWN };

/*
 * How many were ever put into the set. Not hushed: the call that it is asked
 * for clears the errors when it begins, and has made none when it was good.
 */
static uint64_t count_inserted(const struct weir_hdf5_args *args)
{
	struct weir_hdf5_library *lib = args->library;
	uint64_t count = 0;

	if (lib->events_inserted(args->es, &count) < 0)
		return 0;
	return count;
}

static bool may_count(const struct weir_hdf5_args *args)
{
	return args->es > 0 && args->library && args->library->events_inserted;
}

/* A set that nobody has used may be none, and to ask would be an error. */
void weir_hdf5_handover_before(struct weir_layer *on,
			       struct weir_hdf5_args *args)
{
	if (args->es > 0 && !args->library)
		args->library = weir_hdf5_library(args->from);
	args->handle = args->object ? args->object->handle : 0;
	if (may_count(args) && weir_hdf5_pending_knows(args->library, args->es))
		args->inserted = count_inserted(args);
}

/*
 * What is done when the call returns is put into no set: so it is with HDF5's
 * own connector. Another thread's operation may be taken for this one.
 */
static bool is_handed_over(const struct weir_layer *on,
			   const struct weir_hdf5_args *args)
{
	if (args->es <= 0 || !args->library || on->args.failed)
		return false;
	return !may_count(args) || count_inserted(args) != args->inserted;
}

static uint32_t handle_of(const struct weir_layer *on,
			  const struct weir_hdf5_args *args)
{
	const struct weir_hdf5_object *opened =
		weir_hdf5_object_find(args->library, on->args.ret);

	if (opened)
		return opened->handle;
	if (!args->handle && args->object)
		return args->object->handle;
	return args->handle;
}

void weir_hdf5_handover_after(struct weir_layer *on,
			      struct weir_hdf5_args *args)
{
	args->has_handed = is_handed_over(on, args);
	if (args->has_handed)
		args->handed = weir_hdf5_pending_add(args->library, args->es,
						     handle_of(on, args),
						     on->args.size);
}

bool weir_hdf5_events_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	args->library = weir_hdf5_library(args->from);
	return weir_hdf5_setting_before(on, args);
}

void weir_hdf5_events_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	if (args->library && !on->args.failed)
		weir_hdf5_pending_begin(args->library, on->args.ret);
}

/* A number that the library has of the set, or `unknown`. */
static uint64_t ask_number(const struct weir_hdf5_args *args,
			   int (*function)(long, uint64_t *), uint64_t unknown)
{
	struct weir_hdf5_hush hush;
	uint64_t count = unknown;

	if (!function)
		return unknown;
	weir_hdf5_hush(args->library, &hush);
	if (function(args->es, &count) < 0)
		count = unknown;
	weir_hdf5_unhush(args->library, &hush);
	return count;
}

static bool has_fault(const struct weir_hdf5_args *args)
{
	return args->has_fault && *(const unsigned char *)args->fault;
}

static uint64_t left_of(const struct weir_hdf5_args *args)
{
	return *(const uint64_t *)args->left;
}

/*
 * A wait that meets a failure stops counting there, and what could not be
 * cancelled may be over: then the set is asked.
 */
static bool none_is_left(const struct weir_hdf5_args *args)
{
	if (!args->has_left)
		return false;
	if (!has_fault(args) && !left_of(args))
		return true;
	if (!has_fault(args) && args->call == WEIR_CALL_H5ESWAIT)
		return false;
	return ask_number(args, args->library->events_left, 1) == 0;
}

/* A wait that is good and follows a good one need not be asked. */
static void count_failures(struct weir_hdf5_args *args)
{
	bool is_good = args->call == WEIR_CALL_H5ESWAIT && !has_fault(args) &&
		       !weir_hdf5_pending_is_doubtful(args->library, args->es);

	if (!is_good)
		args->failures = ask_number(args, args->library->events_failed,
					    has_fault(args));
}

/* Which have failed is not told, but how many. */
static enum end how_ended(const struct weir_hdf5_args *args)
{
	bool is_cancel = args->call == WEIR_CALL_H5ESCANCEL;

	if (args->failures >= args->ended)
		return FAILED;
	if (args->failures || (is_cancel && left_of(args)) ||
	    weir_hdf5_pending_is_doubtful(args->library, args->es))
		return NOT_KNOWN;
	return is_cancel ? CANCELLED : DONE;
}

static void tell_end(struct weir_layer *on, const struct weir_hdf5_op *op,
		     enum end how)
{
	struct weir_encoded *detail = weir_layer_child_detail(on);
	struct weir_args done = {
		.call = WEIR_CALL_HDF5_DONE,
		.fd = -1,
		.size = op->bytes,
		.ret = how == FAILED ? -1 : 0,
		.failed = how == FAILED,
	};

	weir_encode_unsigned(detail, op->id);
	weir_encode_unsigned(detail, how);
	weir_layer_derive(on, op->handle, &done);
}

static void tell_ends(struct weir_layer *on, struct weir_hdf5_args *args)
{
	uint32_t first =
		weir_hdf5_pending_take(args->library, args->es, args->until);
	enum end how;

	for (uint32_t at = first; at; at = weir_hdf5_pending_get(at)->next)
		args->ended++;
	if (!first)
		return;
	how = how_ended(args);
	while (first) {
		tell_end(on, weir_hdf5_pending_get(first), how);
		first = weir_hdf5_pending_drop(first);
	}
	weir_hdf5_pending_doubt(args->library, args->es, false);
}

bool weir_hdf5_ended_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	args->until = weir_hdf5_pending_latest();
	return weir_hdf5_events_before(on, args);
}

/* On no set at all the call says nothing. */
void weir_hdf5_ended_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	bool is_told = args->es > 0 && !on->args.failed;

	args->has_left = is_told && args->left;
	args->has_fault = is_told && args->fault;
	if (!is_told || !weir_hdf5_pending_has(args->library, args->es))
		return;
	if (none_is_left(args)) {
		count_failures(args);
		tell_ends(on, args);
	} else if (has_fault(args) || args->call == WEIR_CALL_H5ESCANCEL) {
		weir_hdf5_pending_doubt(args->library, args->es, true);
	}
}

/* A set with something under way cannot be closed, but another user may be. */
bool weir_hdf5_events_close_before(struct weir_layer *on,
				   struct weir_hdf5_args *args)
{
	if (!weir_hdf5_ended_before(on, args))
		return false;
	args->is_over = weir_hdf5_pending_has(args->library, args->es) &&
			ask_number(args, args->library->events_left, 1) == 0;
	if (args->is_over)
		count_failures(args);
	return true;
}

void weir_hdf5_events_close_after(struct weir_layer *on,
				  struct weir_hdf5_args *args)
{
	if (!args->library || on->args.failed)
		return;
	if (args->is_over)
		tell_ends(on, args);
	if (args->library->id_type(args->es) <= 0)
		weir_hdf5_pending_end(args->library, args->es);
}

void weir_hdf5_encode_left(struct weir_encoded *detail,
			   const struct weir_hdf5_args *args, const void *left)
{
	weir_encode_optional(detail, args->has_left,
			     args->has_left ? *(const uint64_t *)left : 0);
}

void weir_hdf5_encode_fault(struct weir_encoded *detail,
			    const struct weir_hdf5_args *args,
			    const void *fault)
{
	weir_encode_optional(detail, args->has_fault,
			     args->has_fault && *(const unsigned char *)fault);
}
