/* SPDX-License-Identifier: BSD-3-Clause */
/* Hides names and owners in the detail of an event. */
#ifndef WEIR_MASK_MASKDETAIL_H
#define WEIR_MASK_MASKDETAIL_H

#include "share/mask/mask.h"
#include "trace/event/dictionary.h"
#include "trace/layout/event.h"

/*
 * Appends what stands for the event's detail. Only what the call's kinds
 * explain is passed on. 0; 1 when something was not, and so left out; or
 * -ENOMEM.
 */
int weir_maskdetail_write(const struct weir_mask *mask,
			  const struct weir_event *event,
			  const struct weir_call *call, struct weir_bytes *to);

#endif
