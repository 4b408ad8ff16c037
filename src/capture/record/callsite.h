/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where the program made a call: a chain of return addresses. */
#ifndef WEIR_RECORD_CALLSITE_H
#define WEIR_RECORD_CALLSITE_H

#include "capture/record/pass.h"

/*
 * Adds the chain to the call's detail, behind its arguments, as
 * WEIR_EVENT_SITE tells. The first address, where the wrapper returns to, is
 * always known. The others are found by frame pointers, which a program need
 * not have: each is looked at only within the stack that the call is on, and
 * taken only if it leads to code.
 */
void weir_callsite_add(struct weir_brief *brief);

#endif
