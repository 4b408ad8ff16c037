/* SPDX-License-Identifier: BSD-3-Clause */
/* Does a call by slot: no handler sees what was not copied and checked. */
#include "wire/op.h"

#include <errno.h>
#include <string.h>

int weir_op_do(const struct weir_op_handlers *handlers, void *context,
	       struct weir_op_call *call)
{
	const struct weir_op_row *row = weir_op_find(call->op);
	uint64_t in[WEIR_SESSION_ARGS / sizeof(uint64_t)];
	uint64_t out[WEIR_SESSION_RESULTS / sizeof(uint64_t)] = { 0 };
	struct weir_op_asked asked = { call->op, in, out, &call->data };
	int ret;

	call->data.answer = 0;
	if (!row || row->by != WEIR_OP_BY_SLOT)
		return -ENOSYS;
	memcpy(in, call->args, sizeof(in));
	if (!weir_op_is_sound(&row->call, in) ||
	    !weir_op_takes(&row->call, call->data.size))
		return -EINVAL;
	ret = weir_op_ask_handler(handlers, context, &asked);
	if (ret)
		call->data.answer = 0;
	memcpy(call->results, out, sizeof(out));
	return ret;
}
