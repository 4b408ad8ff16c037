/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether this process has begun to be recorded; fork wipes it. */
#ifndef WEIR_PROCESS_PROCGUARD_H
#define WEIR_PROCESS_PROCGUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weir_procguard_state {
	WEIR_PROCGUARD_NOT_BEGUN, /* what wiping leaves in a forked child */
	WEIR_PROCGUARD_BEGINNING,
	WEIR_PROCGUARD_BEGUN,
	WEIR_PROCGUARD_GIVEN_UP,
};

/* Alone in a page that is wiped by fork; NULL: not made. */
extern _Atomic uint32_t *weir_procguard;

/* 0 or -errno. */
int weir_procguard_make(void);

/* The live file is this process's, not a parent's. */
static inline bool weir_procguard_is_begun(void)
{
	return weir_procguard &&
	       atomic_load_explicit(weir_procguard, memory_order_acquire) ==
		       WEIR_PROCGUARD_BEGUN;
}

#endif
