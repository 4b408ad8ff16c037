/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the kernel what a plan says of a file that was opened. */
#ifndef WEIR_ADJUST_ADVICE_H
#define WEIR_ADJUST_ADVICE_H

#include "adjust/opening.h"

struct stat;

/* A setting of target open, for a plain file; how it went is noted. */
void weir_advice_give(struct weir_opened *plan,
		      const struct weir_plan_setting *setting, int fd,
		      const struct stat *st);

#endif
