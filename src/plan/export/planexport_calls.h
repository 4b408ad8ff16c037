/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the calls in C that set parameters. */
#ifndef WEIR_EXPORT_PLANEXPORT_CALLS_H
#define WEIR_EXPORT_PLANEXPORT_CALLS_H

#include "plan/export/planexport.h"

/*
 * In a call stand: %0 to %7 for numbers, %A and %B for the words of the first
 * and second in capitals, %r for a number with a point, %n for how many
 * numbers there are, %l for all of them, %s for the value as a string and %k
 * for the key or variable. What is in braces behind one stands there when it
 * was not given. A call is true when it failed; with a ; it cannot fail.
 */
struct weir_planexport_call {
	enum weir_param param; /* 0: of a target */
	int target;
	const char *call;
	const char *guard; /* what must be defined for it; NULL: nothing */
};

/* NULL: C cannot set it by a call of a library. */
const struct weir_planexport_call *
weir_planexport_calls_find(const struct weir_param_row *param);

#endif
