/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of particles, as one kernel writes and another reads them. */
#ifndef WEIR_KERNELS_PARTICLES_H
#define WEIR_KERNELS_PARTICLES_H

#include "data.h"

#define KERNEL_PARTICLES 8 /* variables, of 4 bytes each */
#define KERNEL_PARTICLES_GROUP "Step#0"

/* In the order in which they are written. */
extern struct kernel_array kernel_particles[KERNEL_PARTICLES];

/* How many particles there are. */
void kernel_particles_count(uint64_t count);

#endif
