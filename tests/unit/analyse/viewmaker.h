/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls as analysis sees them, made by hand. */
#ifndef WEIR_TESTS_VIEWMAKER_H
#define WEIR_TESTS_VIEWMAKER_H

#include "analyse/calls/callviews.h"
#include "trace/layout/trace_layout.h"

/* A transfer of process 1 on file 1 by the application itself. */
static inline struct weir_callview view_move(enum weir_callclass class,
					     uint64_t off, uint64_t bytes)
{
	return (struct weir_callview){
		.event = {
			.proc = 1, .thread = 1, .handle = 1, .dur = 10,
			.off = (int64_t)off, .size = bytes,
			.ret = (int64_t)bytes,
		},
		.moved = bytes, .file = 1, .pair = 1,
		.class = (uint8_t)class,
		.layer = WEIR_CALLVIEW_POSIX, .top = WEIR_CALLVIEW_POSIX,
	};
}

/* Any other call on it. */
static inline struct weir_callview view_call(enum weir_callclass class,
					     int64_t ret)
{
	struct weir_callview view = view_move(class, 0, 0);

	view.event.ret = ret;
	view.event.flags = WEIR_EVENT_NOOFF;
	return view;
}

#endif
