/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Applies a plan where libc opens files and streams. The wrapper of such a
 * call is made twice: with a plan that says something about opens,
 *
 *	struct weir_opened plan = { .dirfd = ..., .path = ..., ... };
 *
 *	weir_opened_NAME_before(&plan);
 *	ret = real(path, plan.flags, mode);
 *	weir_opened_NAME_after(&plan, ret);
 *	...					(args.beside = &plan.beside)
 *	weir_opened_count(&plan);
 *
 * NAME is the row's word `adjust`. All keep errno; what they do is not
 * recorded as the program's own.
 */
#ifndef WEIR_ADJUST_OPENED_H
#define WEIR_ADJUST_OPENED_H

#include "adjust/opening.h"

/* There is a plan, and it says something about libc's opens. */
extern bool weir_opened_is_on;

/* After weir_adjust_begin(). */
void weir_opened_begin(void);

void weir_opened_open_before(struct weir_opened *plan);
void weir_opened_open_after(struct weir_opened *plan, int fd);
void weir_opened_creat_before(struct weir_opened *plan);
void weir_opened_creat_after(struct weir_opened *plan, int fd);
void weir_opened_temporary_before(struct weir_opened *plan);
void weir_opened_temporary_after(struct weir_opened *plan, int fd);
void weir_opened_stream_before(struct weir_opened *plan);
void weir_opened_stream_after(struct weir_opened *plan, void *stream);
void weir_opened_adopt_before(struct weir_opened *plan);
void weir_opened_adopt_after(struct weir_opened *plan, void *stream);
void weir_opened_close_before(struct weir_opened *plan);
void weir_opened_close_after(struct weir_opened *plan, int ret);

/* What the trace could not be told is counted all the same. */
void weir_opened_count(struct weir_opened *plan);

#endif
