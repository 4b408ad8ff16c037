/* SPDX-License-Identifier: BSD-3-Clause */
/* The most recent calls of a process, in short records. */
#include "capture/recent.h"

#include "capture/observe.h"

void weir_recent_put(const struct weir_brief *brief)
{
	weir_thread_drop(brief->thread, brief->depth, brief->end);
}
