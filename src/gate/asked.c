/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows whom to ask about files when the kernel does not know all. */
#include "gate/asked.h"

#include <stddef.h>

void (*weir_asked_store)(int fd);
int64_t (*weir_asked_position)(int fd);
