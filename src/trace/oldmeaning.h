/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses what calls mean in traces whose dictionary does not say it. */
#ifndef WEIR_TRACE_OLDMEANING_H
#define WEIR_TRACE_OLDMEANING_H

#include "trace/call.h"

/*
 * By the names and roles of the calls that weir recorded before dictionaries
 * had classes; the only place that knows calls by name.
 */
void weir_oldmeaning_guess(struct weir_call *call);

#endif
