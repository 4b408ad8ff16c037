/* SPDX-License-Identifier: BSD-3-Clause */
/* The little that all kernels need of other ranks; a serial one has none. */
#ifndef WEIR_KERNELS_COMM_H
#define WEIR_KERNELS_COMM_H

#include <stdint.h>

void kernel_comm_begin(int *argc, char ***argv, int *ret_rank, int *ret_ranks);
void kernel_comm_end(void);

/* Seconds. */
double kernel_comm_now(void);

/* All ranks come here before any goes on. */
void kernel_comm_meet(void);

/* In place, over all ranks. */
void kernel_comm_sum(uint64_t *values, int count);
void kernel_comm_longest(double *values, int count);

/* The sum over the ranks before this one. */
uint64_t kernel_comm_before(uint64_t value);

/* End all ranks at once. */
_Noreturn void kernel_comm_abort(int status);

#endif
