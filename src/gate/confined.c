/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers whether the program lets itself, and so us, make system calls. */
#include "gate/confined.h"

bool weir_confined;
