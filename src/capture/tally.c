/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over the calls of a thread on each file. */
#include "capture/tally.h"

#include "capture/observe.h"

void weir_tally_add(const struct weir_brief *brief)
{
	weir_thread_drop(brief->thread, brief->depth, brief->end);
}
