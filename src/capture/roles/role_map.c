/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the roles of calls on files mapped into memory. */
#include "capture/process/procstart.h"
#include "capture/record/pass.h"
#include "capture/roles/role.h"
#include "gate/maps.h"
#include "trace/layout/digest_layout.h"

#include <sys/mman.h>

#define PAGE	     4096
#define NOT_RECORDED INT32_MAX /* handle of files that are not */

static uintptr_t page_end(uintptr_t at)
{
	return (at + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
}

static uintptr_t start_of(const struct weir_args *args)
{
	return (uintptr_t)args->object;
}

static uintptr_t range_end(const struct weir_args *args)
{
	return page_end(start_of(args) + (args->size ? args->size : 1));
}

/* When there is no room to remember, what undoes this will be unseen. */
static void remember_range(uintptr_t start, uint64_t len, int64_t off,
			   uint32_t handle)
{
	struct weir_maps_part part = {
		.start = start,
		.end = page_end(start + len),
		.off = off,
		.handle = handle,
	};

	weir_maps_cut(part.start, part.end);
	if (!weir_maps_add(&part))
		weir_procstart_lose_call();
}

void weir_role_map_before(struct weir_pass *pass, struct weir_args *args)
{
	weir_role_find(pass, args);
	weir_observe_start(pass, args);
}

static uint32_t handle_of(const struct weir_pass *pass)
{
	if (weir_fdmap_why(pass->entry))
		return NOT_RECORDED;
	return pass->entry ? pass->handle : 0;
}

void weir_role_map_after(struct weir_pass *pass, struct weir_args *args)
{
	if (weir_digesting_wants(pass) && !args->failed &&
	    args->prot & PROT_WRITE && args->flags & MAP_SHARED) {
		struct weir_digesting_call call =
			weir_digesting_call(pass, args);

		weir_digesting_doubt(&call, WEIR_DIGEST_MAPPED);
	}
	if (!args->failed)
		remember_range((uintptr_t)args->ret, args->size, args->off,
			       handle_of(pass));
	weir_observe_record(pass, args);
}

/* The file behind a range, and where in it the range begins. */
static bool find_range(struct weir_pass *pass, struct weir_args *args)
{
	struct weir_maps_part part;

	pass->handle = 0;
	if (!weir_maps_find(start_of(args), range_end(args), &part))
		return false;
	pass->handle = part.handle;
	if (part.handle == NOT_RECORDED)
		pass->why |= WEIR_FILTER_SYSTEM;
	args->off = part.off;
	args->has_off = true;
	return true;
}

void weir_role_map_use_before(struct weir_pass *pass, struct weir_args *args)
{
	find_range(pass, args);
	weir_observe_start(pass, args);
}

void weir_role_map_use_after(struct weir_pass *pass, struct weir_args *args)
{
	weir_observe_record(pass, args);
}

/* Forgotten before the call: after it the place may be another thread's. */
void weir_role_map_cut_before(struct weir_pass *pass, struct weir_args *args)
{
	find_range(pass, args);
	if (args->size && start_of(args) % PAGE == 0)
		weir_maps_cut(start_of(args), range_end(args));
	weir_observe_start(pass, args);
}

void weir_role_map_cut_after(struct weir_pass *pass, struct weir_args *args)
{
	if (args->failed && args->size && start_of(args) % PAGE == 0)
		remember_range(start_of(args), args->size, args->off,
			       pass->handle);
	weir_observe_record(pass, args);
}

void weir_role_map_move_before(struct weir_pass *pass, struct weir_args *args)
{
	find_range(pass, args);
	weir_observe_start(pass, args);
}

void weir_role_map_move_after(struct weir_pass *pass, struct weir_args *args)
{
	if (!args->failed) {
		if (args->size && !(args->flags & MREMAP_DONTUNMAP))
			weir_maps_cut(start_of(args), range_end(args));
		remember_range((uintptr_t)args->ret, args->len2, args->off,
			       pass->handle);
	}
	weir_observe_record(pass, args);
}
