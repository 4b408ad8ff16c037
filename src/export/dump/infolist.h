/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints arguments and results as word(value)word(value)... */
#ifndef WEIR_DUMP_INFOLIST_H
#define WEIR_DUMP_INFOLIST_H

#include "base/text.h"
#include "trace/event/dictionary.h"
#include "trace/layout/event.h"

/* When the program could know a value: at the call's entry, or at its exit. */
enum weir_infolist_side {
	WEIR_INFOLIST_ENTER,
	WEIR_INFOLIST_EXIT,
};

/* The arguments of one side, without a result; doc/catamount.md. */
void weir_infolist_put(struct weir_text *out, const struct weir_event *event,
		       const struct weir_call *call,
		       enum weir_infolist_side side);

/* The result or the failure of a call that returned. */
void weir_infolist_put_result(struct weir_text *out,
			      const struct weir_event *event,
			      const struct weir_call *call);

#endif
