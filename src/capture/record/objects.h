/* SPDX-License-Identifier: BSD-3-Clause */
/* Records which programs and libraries lie where in this process. */
#ifndef WEIR_RECORD_OBJECTS_H
#define WEIR_RECORD_OBJECTS_H

#include "capture/record/pass.h"

/*
 * Whether there is code at the address. What is not known yet is looked for
 * in /proc/self/maps, and each object found is told, once for each process,
 * by an event below the call.
 */
bool weir_objects_know(const struct weir_brief *brief, uintptr_t address);

/* Libraries may have gone, and others may come to their places. */
void weir_objects_forget(void);

/* The mapping that an address lies in. */
bool weir_objects_region(struct weir_thread *t, uintptr_t address,
			 uintptr_t *ret_low, uintptr_t *ret_high);

#endif
