/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what a kind of call is marked with, whatever it is used on. */
#ifndef WEIR_CALLS_CALLMARKS_H
#define WEIR_CALLS_CALLMARKS_H

#include "trace/event/dictionary.h"

#include <stdint.h>

/* WEIR_CALLVIEW_COLLECTIVE ...; NULL: none. */
uint32_t weir_callmarks_of(const struct weir_call *call);

#endif
