/* SPDX-License-Identifier: BSD-3-Clause */
/* Records what is handed over to the service, as events. */
#include "forward/link/clientevents.h"

#include "base/clock.h"
#include "capture/memory/control.h"
#include "capture/process/filter.h"
#include "forward/link/link.h"
#include "forward/link/self.h"
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
	return atomic_load_explicit(&frame->start, memory_order_relaxed) ? frame
									 : NULL;
}

bool weir_clientevents_start(struct weir_clientevent *event, uint16_t call,
			     uint32_t file)
{
	const struct weir_slot_frame *caller = find_caller();
	uint32_t handle;

	if (!caller || (file != WEIR_CLIENTEVENTS_ANY &&
			!(weir_link_flags(file) & WEIR_FILE_TRACED)))
		return false;
	handle = caller->handle;
	if (!weir_layer_enter(&event->on, call, 0, event))
		return false;
	event->on.pass.handle = handle;
	return true;
}

static void write_detail(struct weir_clientevent *event,
			 const struct weir_clientevent_end *end)
{
	struct weir_encoded *detail = weir_layer_detail(&event->on);

	if (end->op)
		weir_encode_text(detail, end->op);
	weir_encode_unsigned(detail, end->cid);
}

void weir_clientevents_finish(struct weir_clientevent *event,
			      const struct weir_clientevent_end *end)
{
	struct weir_args *args = &event->on.args;

	if (!weir_layer_end(&event->on))
		return;
	write_detail(event, end);
	args->failed = end->ret < 0;
	args->err = args->failed ? (int)-end->ret : 0;
	args->ret = args->failed ? -1 : end->ret;
	if (!end->op) {
		args->size = end->size;
		args->off = (int64_t)end->offset;
		args->has_off = 1;
	}
	weir_layer_put(&event->on);
}

uint64_t weir_clientevents_begin_open(struct weir_clientevent *event,
				      const char *path)
{
	struct weir_cid cid = {.way = WEIR_CID_OPEN,
			       .session = weir_link.page->session,
			       .where = weir_self_owner()};

	event->is_on = false;
	if (weir_thread_recording &&
	    weir_filter_target(path) == WEIR_FILTER_SHOWN)
		weir_clientevents_begin(event, WEIR_CALL_FORWARD_ASK,
					WEIR_CLIENTEVENTS_ANY);
	if (!event->is_on)
		return 0;
	cid.stamp = weir_clock_ns(CLOCK_MONOTONIC);
	return weir_cid_of(&cid);
}
