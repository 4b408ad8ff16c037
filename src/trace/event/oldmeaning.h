/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses what calls mean in traces whose dictionary does not say it. */
#ifndef WEIR_EVENT_OLDMEANING_H
#define WEIR_EVENT_OLDMEANING_H

#include "trace/event/call.h"

/*
 * By the names and roles of the calls that weir recorded before dictionaries
 * had classes; the only place that knows calls by name.
 */
void weir_oldmeaning_guess(struct weir_call *call);

#endif
