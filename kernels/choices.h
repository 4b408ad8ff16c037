/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user of a kernel has typed. */
#ifndef WEIR_KERNELS_CHOICES_H
#define WEIR_KERNELS_CHOICES_H

#include "kernel.h"

struct kernel_choices {
	bool verify;	 /* after the run */
	bool check_only; /* instead of it */
	bool json;
};

/*
 * -1: go on; else the status to end with. Only rank 0 speaks. run->path and
 * the kernel's options are set.
 */
int kernel_choices_read(struct kernel_choices *choices, struct kernel_run *run,
			int argc, char **argv);

#endif
