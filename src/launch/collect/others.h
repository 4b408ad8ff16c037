/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits for the collectors of other hosts, and adds up what they wrote. */
#ifndef WEIR_COLLECT_OTHERS_H
#define WEIR_COLLECT_OTHERS_H

#include "launch/directory/tracedir.h"

struct weir_collector_report;

/*
 * Waits until they have ended, for some seconds at most; how many have not.
 * A collector ends soon after the last process of its host.
 */
unsigned weir_others_wait(const struct weir_tracedir *place);

/* Adds what their files hold and miss to the report of our own collector. */
void weir_others_add(const struct weir_tracedir *place,
		     struct weir_collector_report *report);

#endif
