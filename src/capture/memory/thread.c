/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the recorder's state of one thread: its slot, its chunk, its sums. */
#include "capture/memory/thread.h"

static struct weir_thread asleep;
__thread struct weir_thread *weir_thread_self = &asleep;
bool weir_thread_recording;

void weir_thread_leave(void)
{
	weir_thread_self = &asleep;
}
