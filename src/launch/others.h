/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectors of the other hosts that write into the same directory. */
#ifndef WEIR_LAUNCH_OTHERS_H
#define WEIR_LAUNCH_OTHERS_H

#include "launch/tracedir.h"

/*
 * Waits until they have ended, for some seconds at most; how many have not.
 * A collector ends soon after the last process of its host.
 */
unsigned weir_others_wait(const struct weir_tracedir *place);

#endif
