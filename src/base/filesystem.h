/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows file systems of one machine, which keeps their files in memory. */
#ifndef WEIR_BASE_FILESYSTEM_H
#define WEIR_BASE_FILESYSTEM_H

#include <stdbool.h>

/* By the number that statfs(2) gives. NULL: it may be on other machines. */
const char *weir_filesystem_local(unsigned long type);

/* By the name that tables of mounts give. */
bool weir_filesystem_is_local(const char *name);

#endif
