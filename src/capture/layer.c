/* SPDX-License-Identifier: BSD-3-Clause */
/* The door for the objects that record other libraries' calls. */
#include "capture/layer.h"

#include "capture/call/observe.h"
#include "capture/call/poll.h"
#include "capture/process/traits.h"
#include "capture/process/workdir.h"
#include "capture/record/fdnames.h"
#include "capture/record/record.h"
#include "gate/confined.h"
#include "gate/fdmap.h"

/* Why calls on a handle are not recorded travels with its number. */
#define WHY_SHIFT   29
#define HANDLE_MASK ((UINT32_C(1) << WHY_SHIFT) - 1)

bool weir_layer_begin(struct weir_layer *on, uint16_t call, uint32_t handle,
		      const void *frame)
{
	return !weir_observe_is_inside(call) &&
	       weir_layer_enter(on, call, handle, frame);
}

static bool enter_call(struct weir_layer *on, uint16_t call, uint32_t handle,
		       const void *frame)
{
	struct weir_pass *pass = &on->pass;

	if (!weir_observe_enter(pass))
		return false;
	pass->address = (uintptr_t)frame;
	pass->thread->address = pass->address;
	weir_layer_about(on, handle);
	on->args = (struct weir_args){
		.call = call,
		.fd = -1,
		.other = -1,
		.dirfd = WEIR_GATE_AT_FDCWD,
		.dirfd2 = WEIR_GATE_AT_FDCWD,
	};
	on->has_child_detail = false;
	on->is_vain = false;
	return true;
}

bool weir_layer_enter(struct weir_layer *on, uint16_t call, uint32_t handle,
		      const void *frame)
{
	if (!enter_call(on, call, handle, frame))
		return false;
	weir_observe_start(&on->pass, &on->args);
	return true;
}

bool weir_layer_ask(struct weir_layer *on, uint16_t call, uint32_t handle,
		    const void *frame)
{
	if (weir_observe_is_inside(call) ||
	    !enter_call(on, call, handle, frame))
		return false;
	weir_poll_start(&on->pass, &on->args);
	return true;
}

bool weir_layer_is_open(uint16_t call)
{
	return weir_observe_is_inside(call);
}

bool weir_layer_end(struct weir_layer *on)
{
	return weir_observe_leave(&on->pass);
}

struct weir_encoded *weir_layer_detail(struct weir_layer *on)
{
	return weir_observe_detail(&on->pass);
}

void weir_layer_put(struct weir_layer *on)
{
	if (on->is_vain && weir_poll_fold(&on->pass))
		return;
	if (weir_gate_likely(on->pass.has_detail && !on->pass.why))
		weir_record_long(&on->pass, &on->args);
	else
		weir_observe_record(&on->pass, &on->args);
}

static size_t length_of_file(const char *name)
{
	size_t len = 0;

	while (len < WEIR_FILTER_LONGEST && name[len] &&
	       (name[len] != ':' || name[len + 1] != '/'))
		len++;
	return len;
}

uint32_t weir_layer_handle(struct weir_layer *on, const char *name)
{
	struct weir_thread *t = on->pass.thread;
	struct weir_fdnames_handle opened = {
		.handle = weir_fdmap_next_handle() & HANDLE_MASK,
		.fd = -1,
		.origin = WEIR_ORIGIN_OPENED,
		.base = name[0] == '/' ? 0
				       : weir_workdir_base(WEIR_GATE_AT_FDCWD),
		.path = name,
	};
	uint32_t why = weir_filter_name(t->note.joined, name,
					length_of_file(name),
					WEIR_GATE_AT_FDCWD);

	if (why == WEIR_FILTER_SHOWN)
		weir_fdnames_record(t, &opened);
	on->pass.handle = opened.handle;
	on->pass.why |= (uint8_t)(why & WEIR_FILTER_WHY);
	return opened.handle | (why & WEIR_FILTER_WHY) << WHY_SHIFT;
}

void weir_layer_about(struct weir_layer *on, uint32_t handle)
{
	on->pass.handle = handle & HANDLE_MASK;
	on->pass.why |= (uint8_t)(handle >> WHY_SHIFT & WEIR_FILTER_WHY);
}

struct weir_encoded *weir_layer_child_detail(struct weir_layer *on)
{
	struct weir_pass child = weir_record_child(&on->pass, 0);

	on->has_child_detail = true;
	return weir_record_child_detail(&child);
}

void weir_layer_derive(struct weir_layer *on, uint32_t handle,
		       const struct weir_args *args)
{
	struct weir_pass child =
		weir_record_child(&on->pass, handle & HANDLE_MASK);

	child.start = child.end;
	child.why |= (uint8_t)(handle >> WHY_SHIFT & WEIR_FILTER_WHY);
	child.has_detail = on->has_child_detail;
	on->has_child_detail = false;
	weir_record_derive(&child, args);
}

bool weir_layer_may_ask(void)
{
	return !weir_confined;
}

void weir_layer_trait(const char *key, const char *value)
{
	weir_traits_set(key, value);
}
