/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the stripes of files that libc's calls make on Lustre. */
#ifndef WEIR_ADJUST_STRIPE_H
#define WEIR_ADJUST_STRIPE_H

#include "adjust/opening.h"

/*
 * A file gets its stripes before it has objects, so it is made before the
 * call: without objects, then given its stripes, then opened by the program's
 * own call with the program's own flags, O_EXCL apart. What exists keeps its
 * stripes. `name_of` gives the name by which the plan knows the file.
 */
void weir_stripe_prepare(struct weir_opened *plan,
			 const char *(*name_of)(const struct weir_opened *plan,
						int fd));

/* After the call, whether it succeeded or not. */
void weir_stripe_finish(struct weir_opened *plan);

#endif
