/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what the arguments of a call say to analysis. */
#ifndef WEIR_CALLS_ARGUMENTS_H
#define WEIR_CALLS_ARGUMENTS_H

#include "analyse/calls/callview.h"

/* Adds to the marks of a call, and its unit; call NULL: it is not known. */
void weir_arguments_read(const struct weir_call *call,
			 struct weir_callview *view);

/* Of a copy, the descriptor that is not the event's: 1, or 0: it has none. */
int weir_arguments_other(const struct weir_call *call,
			 const struct weir_event *event, int32_t *ret_fd);

#endif
