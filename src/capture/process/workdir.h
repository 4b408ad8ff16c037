/* SPDX-License-Identifier: BSD-3-Clause */
/* Knows the handle of the working directory of this process. */
#ifndef WEIR_PROCESS_WORKDIR_H
#define WEIR_PROCESS_WORKDIR_H

#include <stdatomic.h>
#include <stdint.h>

/* 0: not known. */
extern _Atomic uint32_t weir_workdir_handle;

/* The handle that paths relative to dirfd start from; 0: not known. */
uint32_t weir_workdir_base(int dirfd);

#endif
