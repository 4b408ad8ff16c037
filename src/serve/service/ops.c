/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds calls in slots, has them done by the session's thread or a worker, and
 * answers.
 */
#include "serve/service/ops.h"

#include "base/futex.h"
#include "serve/service/opevents.h"
#include "serve/service/opsdata.h"
#include "serve/service/opsfile.h"
#include "serve/session/slotcall.h"
#include "serve/threads/workers.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#define PATIENCE 2000 /* ms, with what dead clients asked for */

static const struct weir_op_handlers handlers = {
	.close = weir_opsfile_close,
	.commit = weir_opsfile_commit,
	.read = weir_opsdata_read,
	.write = weir_opsdata_write,
	.append = weir_opsdata_append,
	.extent = weir_opsfile_extent,
	.truncate = weir_opsfile_truncate,
	.bypass = weir_opsfile_bypass,
	.unlinked = weir_opsfile_unlinked,
	.ask = weir_opsfile_ask,
};

struct task {
	struct weir_workers_task task; /* the first */
	struct weir_slotcall call;
};

static bool is_under_way(struct weir_session *session, uint32_t slot)
{
	struct weir_slotcall call = {.session = session, .slot = slot};
	uint32_t state = atomic_load(&session->slots[slot].state);
	bool may_run = !atomic_load(&session->is_over) ||
		       atomic_load(&session->busy) & 1u << slot;

	return state == WEIR_SESSION_POSTED && may_run &&
	       weir_slotcall_is_abandoned(&call);
}

void weir_ops_await_abandoned(struct weir_session *session)
{
	uint32_t waits = 0;

	for (uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++)
		for (; is_under_way(session, i) && waits < PATIENCE; waits++)
			usleep(1000);
}

static bool changes_files(uint32_t op)
{
	return op == WEIR_OP_WRITE || op == WEIR_OP_APPEND ||
	       op == WEIR_OP_TRUNCATE;
}

static void answer_slot(struct weir_slotcall *call,
			const struct weir_op_call *done, int status)
{
	struct weir_session *session = call->session;
	struct weir_session_slot *slot = &session->slots[call->slot];

	if (status == -ENOSYS || status == -EINVAL || status == -EBADF)
		atomic_fetch_add(&weir_state->refused, 1);
	atomic_fetch_add(&weir_state->served, 1);
	slot->status = status;
	slot->data = done->data.answer;
	atomic_store(&session->kept->appends[call->slot], 0);
	atomic_fetch_and(&session->again, ~(1u << call->slot));
	atomic_store(&slot->state, WEIR_SESSION_ANSWERED);
	weir_futex_wake(&slot->state, INT_MAX);
}

/* False: it would take long. */
static bool run_call(struct weir_slotcall *call)
{
	struct weir_session *session = call->session;
	struct weir_session_slot *slot = &session->slots[call->slot];
	struct weir_op_call op = {
		.op = slot->op,
		.args = slot->args,
		.results = slot->results,
		.data = {
			.bytes = session->lanes +
				 (uint64_t)call->slot * WEIR_SESSION_LANE,
			.size = slot->data,
			.room = WEIR_SESSION_LANE,
		},
	};
	struct weir_opevents_op event;
	int status;

	weir_opevents_enter(&event, call, &op);
	if (op.data.size > WEIR_SESSION_LANE)
		status = -EINVAL;
	else if (changes_files(op.op) && weir_slotcall_is_abandoned(call))
		status = -ECANCELED;
	else
		status = weir_op_do(&handlers, call, &op);
	weir_opevents_leave(&event, &op, status);
	if (status == WEIR_SLOTCALL_LATER && !call->may_wait)
		return false;
	answer_slot(call, &op, status);
	return true;
}

/*
 * The client may post the next call as soon as this one is answered, when the
 * session's thread still takes the slot for a busy one: so it is rung for.
 */
static void end_task(struct weir_slotcall *call)
{
	struct weir_session *session = call->session;

	atomic_fetch_and(&session->busy, ~(1u << call->slot));
	weir_session_wake(session);
	/* it may be unmade from now on */
	atomic_fetch_sub(&session->tasks, 1);
}

static void run_task(struct weir_workers_task *own)
{
	struct task *task = (struct task *)own;
	struct weir_slotcall call = task->call;

	free(task);
	run_call(&call);
	end_task(&call);
}

static void hand_on(const struct weir_slotcall *call)
{
	struct task *task = malloc(sizeof(*task));
	struct weir_slotcall own = *call;

	own.may_wait = true;
	atomic_fetch_add(&call->session->tasks, 1);
	atomic_fetch_or(&call->session->busy, 1u << call->slot);
	if (task) {
		*task = (struct task){ .task.run = run_task, .call = own };
		weir_workers_do(&task->task);
	} else {
		run_call(&own);
		end_task(&own);
	}
}

/*
 * Busy is asked first: whoever is not busy any more has answered before, so
 * what is posted then is another call.
 */
static bool is_posted(struct weir_session *session, uint32_t slot)
{
	return !(atomic_load(&session->busy) & 1u << slot) &&
	       atomic_load(&session->slots[slot].state) ==
		       WEIR_SESSION_POSTED;
}

bool weir_ops_serve(struct weir_session *session)
{
	bool some = false;

	for (uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++) {
		struct weir_slotcall call = {.session = session, .slot = i};

		if (!is_posted(session, i))
			continue;
		call.is_again = atomic_load(&session->again) & 1u << i;
		if (!run_call(&call))
			hand_on(&call);
		some = true;
	}
	return some;
}

void weir_ops_repeat(struct weir_session *session)
{
	for (uint32_t i = 0; i < WEIR_SESSION_SLOTS; i++) {
		struct weir_slotcall call = {.session = session,
					     .slot = i,
					     .may_wait = true,
					     .is_again = true};

		if (is_posted(session, i) &&
		    changes_files(session->slots[i].op))
			run_call(&call);
	}
}

void weir_ops_end(struct weir_session *session)
{
	for (uint32_t i = 0; i < WEIR_SESSION_OPENS; i++)
		if (atomic_load(&session->kept->opens[i].live))
			weir_opsfile_end(session, i);
}
