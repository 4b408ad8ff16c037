/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the events of calls by slot into the trace. */
#ifndef WEIR_SERVICE_OPEVENTS_H
#define WEIR_SERVICE_OPEVENTS_H

#include "serve/session/slotcall.h"
#include "spec/forward.h"

/* A call by slot. */
struct weir_opevents_op {
	bool is_told;
	uint32_t handle;
	uint64_t cause;
	uint64_t args[WEIR_SESSION_ARGS / sizeof(uint64_t)];
};
void weir_opevents_enter(struct weir_opevents_op *own,
			 const struct weir_slotcall *call,
			 const struct weir_op_call *op);
/* WEIR_SLOTCALL_LATER: another thread goes on with it. */
void weir_opevents_leave(struct weir_opevents_op *own,
			 const struct weir_op_call *op, int status);

#endif
