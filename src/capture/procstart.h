/* SPDX-License-Identifier: BSD-3-Clause */
/* How a process begins to be recorded, after exec and after fork. */
#ifndef WEIR_CAPTURE_PROCSTART_H
#define WEIR_CAPTURE_PROCSTART_H

#include <stdbool.h>

/* The live file is this process's, not a parent's. */
bool weir_procstart_is_done(void);

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

#endif
