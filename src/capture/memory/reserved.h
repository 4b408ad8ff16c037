/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes a live file that the collector keeps for processes to come. */
#ifndef WEIR_MEMORY_RESERVED_H
#define WEIR_MEMORY_RESERVED_H

#include <stddef.h>

/*
 * A descriptor of one that has these bytes, all backed by memory and zero, or
 * -errno. Held from here on, so that the collector never takes the file under
 * its next name for one whose process is gone.
 */
long weir_reserved_open(const char *directory, size_t bytes);

/* Gives the one that was opened last its name; 0 or -errno. */
long weir_reserved_rename(const char *name);

/* Closes and removes it instead. */
void weir_reserved_drop(long fd);

#endif
