/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins to record a process, after exec and after fork. */
#ifndef WEIR_PROCESS_PROCSTART_H
#define WEIR_PROCESS_PROCSTART_H

#include <stdbool.h>

/*
 * Make the live file of this process. 0, or -errno: it is counted as one
 * that cannot be recorded, and not tried again. Another thread that is at it
 * is waited for.
 */
int weir_procstart_begin(void);

/*
 * The same for a process that begins with its image. -ENOENT is not counted
 * when there will be another attempt.
 */
int weir_procstart_begin_image(bool may_try_again);

/* A call that should have been recorded was not, and no slot can tell. */
void weir_procstart_lose_call(void);

#endif
