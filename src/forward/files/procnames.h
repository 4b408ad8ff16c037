/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what /proc says of descriptors. */
#ifndef WEIR_FILES_PROCNAMES_H
#define WEIR_FILES_PROCNAMES_H

#include <stddef.h>

/* The name of a descriptor's file, as the kernel has it; its length, or 0. */
size_t weir_procnames_path(int fd, char *room, size_t size);

/* A descriptor as /proc names it; -1: it is none. */
int weir_procnames_fd(const char *name);

#endif
