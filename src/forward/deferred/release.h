/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives files back to the kernel for good. */
#ifndef WEIR_DEFERRED_RELEASE_H
#define WEIR_DEFERRED_RELEASE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What was written is stored, a deferred file is there, and from now on all
 * goes straight to the kernel, which knows the offset. 0 or -errno.
 */
int weir_release_open(uint32_t open, int fd);
int weir_release_fd(int fd); /* 0 if it is not forwarded */

/* The descriptors that another program will have; or all. */
void weir_release_inherited(bool all);

/* It is closed by exec, also when a vforked child has closed it already. */
bool weir_release_is_exempt(int fd);

#endif
