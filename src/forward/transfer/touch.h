/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells whether the program's memory is there: where the kernel would answer
 * EFAULT we must not crash. A thread remembers what it has found.
 */
#ifndef WEIR_TRANSFER_TOUCH_H
#define WEIR_TRANSFER_TOUCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

bool weir_touch_can_read(const void *from, size_t bytes);

/* To be written to: of each page a word is written that it has already. */
bool weir_touch_can_write(void *to, size_t bytes);

#endif
