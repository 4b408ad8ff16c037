/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes descriptors that were opened into the table of forwarded ones. */
#ifndef WEIR_FILES_ADOPT_H
#define WEIR_FILES_ADOPT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A file that was just opened, with the flags of open(). 0: handed over, or
 * none of ours; -errno: it should have been, and the kernel has it now: the
 * file is stored, and everybody goes straight to the kernel.
 */
int weir_adopt(int fd, int flags);

/* The same, but it goes straight to the kernel, and is known to. */
int weir_adopt_for_kernel(int fd);

/* At the start of a program: what it was given. It goes to the kernel. */
void weir_adopt_inherited(void);

/* The length of files is (RLIMIT_FSIZE): what is written is the kernel's. */
bool weir_adopt_is_limited(void);

/* Whether that was said. */
bool weir_adopt_takes_nothing(void);

/* From now on all files that are opened do: calls that nobody sees use them. */
void weir_adopt_nothing_more(void);

#endif
