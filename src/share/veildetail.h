/* SPDX-License-Identifier: BSD-3-Clause */
/* The detail of an event, with its names and owners hidden. */
#ifndef WEIR_SHARE_VEILDETAIL_H
#define WEIR_SHARE_VEILDETAIL_H

#include "share/veil.h"
#include "trace/event/dictionary.h"
#include "trace/layout/event.h"

/*
 * Appends what stands for the event's detail. Only what the call's kinds
 * explain is passed on. 0; 1 when something was not, and so left out; or
 * -ENOMEM.
 */
int weir_veildetail_write(const struct weir_veil *veil,
			  const struct weir_event *event,
			  const struct weir_call *call, struct weir_bytes *to);

#endif
