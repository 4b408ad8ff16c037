/* SPDX-License-Identifier: BSD-3-Clause */
/* forward: what is handed over, as events. */
#include "forward/tell.h"

#include "base/clock.h"
#include "capture/memory/control.h"
#include "capture/process/filter.h"
#include "forward/link.h"
#include "forward/self.h"
#include "spec/calls.h"
#include "wire/cid.h"

/* Of these only sums or short records are kept, and nobody reads links. */
#define BRIEF (WEIR_MANNER_RING | WEIR_MANNER_PROFILE)

/* The innermost call that is open; NULL: none is, or nobody is told of it. */
static const struct weir_slot_frame *find_caller(void)
{
	const struct weir_thread *t = weir_thread_self;
	const struct weir_slot_frame *frame;
	uint32_t depth;

	if (t->state != WEIR_THREAD_READY || weir_control_aside() & BRIEF)
		return NULL;
	depth = weir_thread_depth(t);
	if (!depth || depth >= WEIR_SLOT_FRAMES)
		return NULL;
	frame = &t->slot->frames[depth - 1];
	return atomic_load_explicit(&frame->start, memory_order_relaxed) ?
		       frame : NULL;
}

bool weir_tell_start(struct weir_tell *tell, uint16_t call, uint32_t file,
		     const void *frame)
{
	const struct weir_slot_frame *caller = find_caller();
	uint32_t handle;

	if (!caller || (file != WEIR_TELL_ANY &&
			!(weir_link_flags(file) & WEIR_FILE_TOLD)))
		return false;
	handle = caller->handle;
	if (!weir_layer_enter(&tell->on, call, 0, frame))
		return false;
	tell->on.pass.handle = handle;
	return true;
}

static void write_detail(struct weir_tell *tell,
			 const struct weir_tell_end *end)
{
	struct weir_encoded *detail = weir_layer_detail(&tell->on);

	if (end->op)
		weir_encode_text(detail, end->op);
	weir_encode_unsigned(detail, end->cid);
}

void weir_tell_finish(struct weir_tell *tell, const struct weir_tell_end *end)
{
	struct weir_args *args = &tell->on.args;

	if (!weir_layer_end(&tell->on))
		return;
	write_detail(tell, end);
	args->failed = end->ret < 0;
	args->err = args->failed ? (int)-end->ret : 0;
	args->ret = args->failed ? -1 : end->ret;
	if (!end->op) {
		args->size = end->size;
		args->off = (int64_t)end->offset;
		args->has_off = 1;
	}
	weir_layer_put(&tell->on);
}

uint64_t weir_tell_begin_open(struct weir_tell *tell, const char *path)
{
	struct weir_cid cid = { .way = WEIR_CID_OPEN,
				.session = weir_link.page->session,
				.where = weir_self_owner() };

	tell->is_on = false;
	if (weir_thread_recording &&
	    weir_filter_target(path) == WEIR_FILTER_SHOWN)
		weir_tell_begin(tell, WEIR_CALL_FORWARD_ASK, WEIR_TELL_ANY);
	if (!tell->is_on)
		return 0;
	cid.stamp = weir_clock_ns(CLOCK_MONOTONIC);
	return weir_cid_of(&cid);
}
