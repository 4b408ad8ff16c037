/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the clock of records: the counter of the processor, or nanoseconds. */
#include "capture/memory/tick.h"

bool weir_tick_is_counter;
