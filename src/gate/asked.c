/* SPDX-License-Identifier: BSD-3-Clause */
/* gate: who knows more of files than the kernel. */
#include "gate/asked.h"

#include <stddef.h>

void (*weir_asked_store)(int fd);
int64_t (*weir_asked_position)(int fd);
