/* SPDX-License-Identifier: BSD-3-Clause */
/* One lane: writes, and is killed for it. */
#ifndef LANE_H
#define LANE_H

#include <stdint.h>

/* `shared`: the log with a shared offset, inherited; -1: there is none. */
int lane_main(uint32_t number, int shared);

#endif
