/* SPDX-License-Identifier: BSD-3-Clause */
/* Roles: datasets are read and written. */
#include "capture/digests/digests.h"
#include "capture/messages.h"
#include "layers/hdf5/hdf5_crowd.h"
#include "layers/hdf5/hdf5_digest.h"
#include "layers/hdf5/hdf5_place.h"
#include "layers/hdf5/hdf5_space.h"
#include "spec/calls.h"

#include <stdatomic.h>
#include <string.h>

enum { INDEPENDENT = 0, COLLECTIVE = 1 };

/* The ids that mean a selection without being one: H5S_ALL, H5S_BLOCK, … */
#define SPECIAL 2

/* The last transfer list that was asked what it says. */
static _Atomic uint64_t known_list;
static _Atomic int known_mode;

/* One transfer: what is moved, of which part of which dataset. */
struct part {
	struct weir_hdf5_object *object;
	long type, memory, select;
	uint64_t bytes;
	bool is_known;
	struct weir_hdf5_space space; /* in the file */
};

/* Between after and put nothing else comes. */
static _Thread_local
	__attribute__((tls_model("initial-exec"))) char extent[WEIR_HDF5_TEXT];

static bool look_whole(struct part *part)
{
	struct weir_hdf5_object *object = part->object;

	if (!object || !object->learned || object->rank < 0 ||
	    object->rank > WEIR_HDF5_RANK)
		return false;
	weir_hdf5_space_whole(&part->space, object->dims, object->rank);
	return true;
}

/* Of a selection in more dimensions than we tell of, no more is known. */
static uint64_t points_of(struct weir_hdf5_library *lib, long id)
{
	struct weir_hdf5_hush hush;
	long points;

	weir_hdf5_hush(lib, &hush);
	points = lib->select_points(id);
	weir_hdf5_unhush(lib, &hush);
	return points > 0 ? (uint64_t)points : 0;
}

/*
 * After the call, which has shown that its ids are good, and has changed
 * neither selection nor type.
 */
static void look_at_part(struct weir_hdf5_library *lib, struct part *part)
{
	uint64_t points = 0;

	if (part->object)
		weir_hdf5_object_learn(part->object);
	part->is_known =
		part->select > SPECIAL
			? weir_hdf5_space_look(lib, part->select, &part->space)
			: !part->select && look_whole(part);
	if (part->is_known)
		points = weir_hdf5_space_points(&part->space);
	else if (part->memory > SPECIAL)
		points = points_of(lib, part->memory);
	else if (part->select > SPECIAL)
		points = points_of(lib, part->select);
	part->bytes = points * weir_hdf5_type_size(lib, part->type);
}

/* Which mode a transfer list asks for, where there are several ranks. */
static int asked_of(struct weir_hdf5_library *lib, long list)
{
	struct weir_hdf5_hush hush;
	uint64_t key = weir_hdf5_key(lib, list);
	int mode = INDEPENDENT;

	if (list <= 0 || !lib->list_transfer)
		return INDEPENDENT;
	if (atomic_load(&known_list) == key)
		return atomic_load(&known_mode);
	weir_hdf5_hush(lib, &hush);
	if (lib->list_transfer(list, &mode) < 0)
		mode = INDEPENDENT;
	weir_hdf5_unhush(lib, &hush);
	atomic_store(&known_list, 0);
	atomic_store(&known_mode, mode);
	atomic_store(&known_list, key);
	return mode;
}

static void ask_mode(struct weir_hdf5_args *args,
		     const struct weir_hdf5_object *object)
{
	if (!object || !object->crowd || !args->library)
		return;
	args->has_asked = true;
	args->asked = (unsigned)asked_of(args->library, args->dxpl);
	if (args->asked == COLLECTIVE)
		weir_hdf5_crowd_count(object->crowd, args);
}

/* How it was done in fact, which only a list of the program's own tells. */
static void tell_mode(struct weir_layer *on, struct weir_hdf5_args *args)
{
	struct weir_hdf5_library *lib = args->library;
	struct weir_hdf5_hush hush;
	uint32_t here = 0, anywhere = 0;
	int got = 0;

	if (!args->has_asked || args->asked != COLLECTIVE || on->args.failed ||
	    !lib->list_got)
		return;
	weir_hdf5_hush(lib, &hush);
	args->has_got = lib->list_got(args->dxpl, &got) >= 0;
	args->got = (unsigned)got;
	if (args->has_got && !got && lib->list_cause)
		args->has_cause =
			lib->list_cause(args->dxpl, &here, &anywhere) >= 0;
	args->cause = here | anywhere;
	weir_hdf5_unhush(lib, &hush);
}

/* Who may have to wait for whom, if all were to come together. */
static void tell_messages(struct weir_layer *on,
			  const struct weir_hdf5_args *args)
{
	struct weir_args told = { .call = WEIR_CALL_HDF5_MESSAGES, .fd = -1 };
	struct weir_messages so_far;
	struct weir_encoded *detail;

	if (!args->has_asked || !args->object || !weir_messages_are_wanted())
		return;
	so_far = weir_messages_look();
	detail = weir_layer_child_detail(on);
	weir_encode_unsigned(detail, so_far.direct);
	weir_encode_unsigned(detail, so_far.balance);
	weir_encode_unsigned(detail, so_far.together);
	weir_encode_unsigned(detail, so_far.doubts);
	weir_encode_unsigned(detail, so_far.is_followed);
	weir_layer_derive(on, args->object->handle, &told);
}

/* What a record tells of a part. */
static void describe_part(struct weir_hdf5_args *args, const struct part *part)
{
	const struct weir_hdf5_object *object = part->object;

	args->shape = object && object->learned ? object->shape : "";
	args->has_layout = object && object->learned;
	args->layout = object ? object->layout : 0;
	args->extent = "";
	args->has_runs = part->is_known;
	if (!part->is_known)
		return;
	weir_hdf5_space_spell(&part->space, extent);
	args->extent = extent;
	args->runs = weir_hdf5_space_runs(&part->space);
}

bool weir_hdf5_transfer_writes(uint16_t call)
{
	return call == WEIR_CALL_H5DWRITE || call == WEIR_CALL_H5DWRITE_ASYNC ||
	       call == WEIR_CALL_H5DWRITE_MULTI ||
	       call == WEIR_CALL_H5DWRITE_MULTI_ASYNC ||
	       call == WEIR_CALL_H5DWRITE_CHUNK;
}

static struct weir_hdf5_digest digest_of(const struct weir_hdf5_args *args)
{
	return (struct weir_hdf5_digest){
		.object = args->object,
		.type = args->type,
		.memory = args->memory,
		.select = args->select,
		.list = args->dxpl,
		.data = args->data,
		.is_later = args->es > 0,
	};
}

/* One of several. */
static struct weir_hdf5_digest digest_at(const struct weir_hdf5_args *args,
					 unsigned long i)
{
	return (struct weir_hdf5_digest){
		.object = weir_hdf5_object_find(args->library, args->ids[i]),
		.type = args->types[i],
		.memory = args->memories[i],
		.select = args->selects[i],
		.list = args->dxpl,
		.data = ((const void *const *)args->data)[i],
		.is_later = args->es > 0,
	};
}

static bool has_parts(const struct weir_hdf5_args *args)
{
	return args->library && args->ids && args->types && args->memories &&
	       args->selects;
}

bool weir_hdf5_transfer_before(struct weir_layer *on,
			       struct weir_hdf5_args *args)
{
	bool begun = weir_hdf5_plain_before(on, args);

	ask_mode(args, args->object);
	if (!begun)
		return false;
	args->shape = args->extent = "";
	if (!args->object || !weir_hdf5_transfer_writes(args->call))
		return true;
	weir_hdf5_place_note(args->object);
	if (weir_digests_is_on()) {
		struct weir_hdf5_digest digest = digest_of(args);

		weir_hdf5_digest_before(&digest);
	}
	return true;
}

/*
 * Also a write that failed may have stored a part, so digests hear of it. What
 * the record tells is asked of HDF5, and never after a failure.
 */
void weir_hdf5_transfer_after(struct weir_layer *on,
			      struct weir_hdf5_args *args)
{
	struct part part;

	weir_hdf5_plain_after(on, args);
	if (weir_digests_is_on() && weir_hdf5_transfer_writes(args->call)) {
		struct weir_hdf5_digest digest = digest_of(args);

		weir_hdf5_digest_after(&digest, on->args.failed);
	}
	tell_messages(on, args);
	if (!args->library || on->args.failed)
		return;
	part.object = args->object;
	part.type = args->type;
	part.memory = args->memory;
	part.select = args->select;
	look_at_part(args->library, &part);
	describe_part(args, &part);
	on->args.size = part.bytes;
	tell_mode(on, args);
}

bool weir_hdf5_multi_before(struct weir_layer *on, struct weir_hdf5_args *args)
{
	bool begun;

	args->id = args->many && args->ids ? args->ids[0] : 0;
	begun = weir_hdf5_plain_before(on, args);
	ask_mode(args, args->object);
	if (!begun)
		return false;
	for (unsigned long i = 0;
	     args->data && has_parts(args) && i < args->many; i++) {
		struct weir_hdf5_digest digest = digest_at(args, i);

		weir_hdf5_digest_before(&digest);
	}
	return true;
}

/* Written after the call: who asks for parts gives lists that stay. */
static void tell_part(struct weir_layer *on, struct weir_hdf5_args *args,
		      unsigned long i)
{
	struct weir_encoded *detail = weir_layer_child_detail(on);
	struct part part = {
		.object = weir_hdf5_object_find(args->library, args->ids[i]),
		.type = args->types[i],
		.memory = args->memories[i],
		.select = args->selects[i],
	};
	struct weir_args told = { .call = WEIR_CALL_HDF5_PART, .fd = -1 };

	look_at_part(args->library, &part);
	describe_part(args, &part);
	weir_encode_text(detail, args->shape);
	weir_encode_text(detail, args->extent);
	weir_encode_optional(detail, args->has_runs, args->runs);
	weir_encode_optional(detail, args->has_layout, args->layout);
	told.size = part.bytes;
	on->args.size += part.bytes;
	if (part.object && weir_hdf5_transfer_writes(args->call))
		weir_hdf5_place_note(part.object);
	weir_layer_derive(on, part.object ? part.object->handle : 0, &told);
}

void weir_hdf5_multi_after(struct weir_layer *on, struct weir_hdf5_args *args)
{
	weir_hdf5_plain_after(on, args);
	tell_messages(on, args);
	if (!has_parts(args))
		return;
	for (unsigned long i = 0; args->data && i < args->many; i++) {
		struct weir_hdf5_digest digest = digest_at(args, i);

		weir_hdf5_digest_after(&digest, on->args.failed);
	}
	if (on->args.failed)
		return;
	for (unsigned long i = 0; i < args->many; i++)
		tell_part(on, args, i);
	tell_mode(on, args);
}

bool weir_hdf5_dxpl_mpio_before(struct weir_layer *on,
				struct weir_hdf5_args *args)
{
	atomic_store(&known_list, 0);
	return weir_hdf5_setting_before(on, args);
}

void weir_hdf5_dxpl_mpio_after(struct weir_layer *on,
			       struct weir_hdf5_args *args)
{
	atomic_store(&known_list, 0);
}
