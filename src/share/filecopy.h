/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies and compares files, in the kernel where it can. */
#ifndef WEIR_SHARE_FILECOPY_H
#define WEIR_SHARE_FILECOPY_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of an open file; 0 when that cannot be told. */
uint64_t weir_filecopy_size(int fd);

/* Copies all of a file to the end of another. */
int weir_filecopy_all(int from, int to);

/* 1: the same file, or the same bytes; 0; -errno. */
int weir_filecopy_same(int one, int other);

#endif
