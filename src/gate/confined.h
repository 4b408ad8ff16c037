/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers whether the program lets itself, and so us, make system calls. */
#ifndef WEIR_GATE_CONFINED_H
#define WEIR_GATE_CONFINED_H

#include <stdbool.h>

/*
 * A filter of system calls (seccomp) stands, or is about to: one that the
 * program itself does not make may kill it. From now on weir makes none.
 * What it would have needed one for is left unknown, or counted as lost.
 * Children inherit the filter, and this.
 */
extern bool weir_confined;

#endif
