/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes calls that wait for the daemon's answer. */
#include "forward/link/slots.h"

#include "base/clock.h"
#include "base/futex.h"
#include "forward/link/attach.h"
#include "forward/link/clientevents.h"
#include "forward/link/link.h"
#include "forward/link/link_complain.h"
#include "forward/link/self.h"
#include "spec/calls.h"
#include "wire/cid.h"
#include "wire/op.h"

#include <errno.h>
#include <string.h>

#define STEP	 UINT64_C(50000000) /* ns asleep until a slot is free */
#define PATIENCE UINT64_C(12000)    /* ns of looking for an answer */
#define VAIN	 4  /* looks in vain: it is rather the processor's turn */
#define AGAIN	 16 /* then only every so many calls look */

static unsigned char *lane_of(const struct weir_session_slot *slot)
{
	return weir_link.lanes +
	       (uint64_t)(slot - weir_link.slots) * WEIR_SESSION_LANE;
}

/* After how many jumps threads of this process took a slot. */
static uint32_t jumps[WEIR_SESSION_SLOTS];

static bool claim_slot(struct weir_session_slot *slot, uint32_t me)
{
	uint32_t owner = 0;

	return atomic_compare_exchange_strong(&slot->owner, &owner, me);
}

static bool is_left(const struct weir_session_slot *slot, uint32_t owner,
		    uint32_t me)
{
	if (owner != me)
		return weir_self_has_ended(owner);
	return jumps[slot - weir_link.slots] != weir_self.jumps;
}

/*
 * Whoever was killed, or jumped out of it, leaves a slot behind. What was asked
 * in it is answered before it is another's: so look at the owner first, who
 * may ask as long as it is there.
 */
static bool inherit_slot(struct weir_session_slot *slot, uint32_t me)
{
	uint32_t owner = atomic_load(&slot->owner);

	return is_left(slot, owner, me) &&
	       atomic_load(&slot->state) != WEIR_SESSION_POSTED &&
	       atomic_compare_exchange_strong(&slot->owner, &owner, me);
}

/* Each thread begins elsewhere. NULL: all are in use. */
static struct weir_session_slot *
find_slot(uint32_t me, bool (*take)(struct weir_session_slot *, uint32_t))
{
	for (uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++) {
		struct weir_session_slot *slot =
			&weir_link.slots[(me + i) % WEIR_SESSION_SLOTS];

		if (take(slot, me))
			return slot;
	}
	return NULL;
}

/* All are in use: be woken when one of them is not. */
static void await_slot(uint32_t me)
{
	struct weir_session_slot *slot =
		&weir_link.slots[me % WEIR_SESSION_SLOTS];
	uint32_t owner = atomic_load(&slot->owner);

	atomic_store(&slot->wanted, 1);
	if (owner)
		weir_futex_wait(&slot->owner, owner, STEP);
}

static struct weir_session_slot *take_slot(void)
{
	uint32_t me = weir_self_owner();
	struct weir_session_slot *slot = find_slot(me, claim_slot);

	while (!slot && !weir_link_is_dead()) {
		await_slot(me);
		slot = find_slot(me, claim_slot);
		if (!slot)
			slot = find_slot(me, inherit_slot);
	}
	if (!slot)
		return NULL;
	jumps[slot - weir_link.slots] = weir_self.jumps;
	atomic_store_explicit(&slot->state, WEIR_SESSION_CLAIMED,
			      memory_order_relaxed);
	return slot;
}

static void free_slot(struct weir_session_slot *slot)
{
	atomic_store_explicit(&slot->state, WEIR_SESSION_FREE,
			      memory_order_relaxed);
	atomic_exchange(&slot->owner, 0);
	if (atomic_load(&slot->wanted) && atomic_exchange(&slot->wanted, 0))
		weir_futex_wake(&slot->owner, 1);
}

/* What it is about: the first that it says; UINT32_MAX: no file. */
static uint32_t file_of(const struct weir_slots_call *call)
{
	const struct weir_op_row *row = weir_op_find(call->op);
	const struct weir_op_field *field = row ? row->call.fields : NULL;
	uint64_t value = field ? weir_op_value(field, call->args) : 0;

	if (field && !strcmp(field->kind, "open"))
		return weir_link.opens[value].file;
	return field && !strcmp(field->kind, "file") ? (uint32_t)value
						     : UINT32_MAX;
}

static void begin_event(const struct weir_slots_call *call,
			struct weir_clientevent *event)
{
	uint32_t file = UINT32_MAX;

	if (weir_gate_unlikely(weir_thread_recording))
		file = file_of(call);
	event->is_on = false;
	if (file < WEIR_BOARD_FILES)
		weir_clientevents_begin(event, WEIR_CALL_FORWARD_ASK, file);
}

static void end_event(struct weir_clientevent *event,
		      const struct weir_slots_call *call,
		      const struct weir_cid *cid, int ret)
{
	weir_clientevents_end(event,
			      &(struct weir_clientevent_end){
				      .op = weir_op_name(call->op),
				      .cid = cid->stamp ? weir_cid_of(cid) : 0,
				      .ret = ret,
			      });
}

static void post_call(struct weir_session_slot *slot,
		      const struct weir_slots_call *call, uint64_t stamp)
{
	slot->op = call->op;
	slot->stamp = stamp;
	slot->status = 0;
	slot->data = call->data ? call->data_size : 0;
	memcpy(slot->args, call->args, call->args_size);
	if (call->data)
		memcpy(lane_of(slot), call->data, call->data_size);
	atomic_store(&slot->state, WEIR_SESSION_POSTED);
	weir_link_wake();
}

static bool is_answered(struct weir_session_slot *slot)
{
	return atomic_load_explicit(&slot->state, memory_order_acquire) ==
	       WEIR_SESSION_ANSWERED;
}

/* Where processors are short, looking keeps the daemon from answering. */
static bool is_worth_looking(void)
{
	if (!weir_self_may_spin)
		return false;
	return weir_self.vain < VAIN || !(weir_self.vain++ % AGAIN);
}

/* An answer that comes soon costs no sleep. */
static bool look_for_answer(struct weir_session_slot *slot)
{
	uint64_t until = weir_clock_ns(CLOCK_MONOTONIC) + PATIENCE;

	do {
		for (int i = 0; i < 16; i++) {
			if (is_answered(slot)) {
				weir_self.vain = 0;
				return true;
			}
			weir_self_pause();
		}
	} while (weir_clock_ns(CLOCK_MONOTONIC) < until);
	weir_self.vain++;
	return false;
}

static int await_answer(struct weir_session_slot *slot)
{
	uint64_t waited = 0;
	int ret;

	if (is_worth_looking() && look_for_answer(slot))
		return 0;
	while (!is_answered(slot)) {
		if (weir_link_is_dead())
			return -EIO;
		ret = weir_futex_wait(&slot->state, WEIR_SESSION_POSTED,
				      WEIR_LINK_WAIT);
		if (ret != -ETIMEDOUT)
			continue;
		waited += WEIR_LINK_WAIT;
		weir_link_complain(waited);
		weir_link_wake();
	}
	return 0;
}

static int take_answer(const struct weir_session_slot *slot,
		       struct weir_slots_call *call)
{
	uint32_t size = slot->data;

	if (slot->status)
		return slot->status < 0 ? slot->status : -EPROTO;
	if (call->results)
		memcpy(call->results, slot->results, call->results_size);
	if (!call->answer)
		return 0;
	if (size > call->answer_room || size > WEIR_SESSION_LANE)
		return -EPROTO;
	memcpy(call->answer, lane_of(slot), size);
	call->answer_size = size;
	return 0;
}

int weir_slots_call(struct weir_slots_call *call)
{
	struct weir_cid cid = {.way = WEIR_CID_SLOT};
	struct weir_session_slot *slot;
	struct weir_clientevent event;
	int ret;

	call->answer_size = 0;
	if (call->args_size > WEIR_SESSION_ARGS ||
	    call->results_size > WEIR_SESSION_RESULTS ||
	    (call->data && call->data_size > WEIR_SESSION_LANE))
		return -EINVAL;
	ret = weir_attach();
	if (ret)
		return ret;
	ret = -EIO;
	begin_event(call, &event);
	slot = take_slot();
	if (slot) {
		cid.session = weir_link.page->session;
		cid.where = (uint32_t)(slot - weir_link.slots);
		cid.stamp = event.is_on ? weir_clock_ns(CLOCK_MONOTONIC) : 0;
		post_call(slot, call, cid.stamp);
		ret = await_answer(slot);
		if (!ret)
			ret = take_answer(slot, call);
		free_slot(slot);
	}
	end_event(&event, call, &cid, ret);
	return ret;
}
