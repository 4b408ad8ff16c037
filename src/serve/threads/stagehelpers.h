/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps threads that help to store one file: where requests take long, several
 * of one file are under way at once.
 */
#ifndef WEIR_THREADS_STAGEHELPERS_H
#define WEIR_THREADS_STAGEHELPERS_H

#include <stdint.h>

/* 0 or -errno: there are fewer then, or none. */
int weir_stagehelpers_begin(uint32_t count);
/* Nobody calls for them any more. */
void weir_stagehelpers_end(void);

/*
 * Does it in the calling thread, and at the same time in those that have
 * nothing to do; returns when all have. It is `work` that shares it out.
 */
void weir_stagehelpers_do(void (*work)(void *arg), void *arg);

#endif
