/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of particles, as one kernel writes and another reads them. */
#include "particles.h"

/* The id of a particle is its place in the file, and z grows with it. */
static double one_id(const struct kernel_array *array, uint64_t i)
{
	return (double)(int32_t)(uint32_t)i;
}

static double two_ids(const struct kernel_array *array, uint64_t i)
{
	return (double)(int32_t)(uint32_t)(2 * i);
}

static double height(const struct kernel_array *array, uint64_t i)
{
	return (double)i / (double)array->count * 64;
}

static double anywhere(const struct kernel_array *array, uint64_t i)
{
	return (double)(kernel_random(array->stream, i) >> 11) * 0x1p-53 * 64;
}

struct kernel_array kernel_particles[KERNEL_PARTICLES] = {
	{ "x", KERNEL_F32, 0, .value = anywhere },
	{ "y", KERNEL_F32, 1, .value = anywhere },
	{ "z", KERNEL_F32, 2, .value = height },
	{ "id1", KERNEL_I32, 3, .value = one_id },
	{ "id2", KERNEL_I32, 4, .value = two_ids },
	{ "px", KERNEL_F32, 5, .value = NULL },
	{ "py", KERNEL_F32, 6, .value = NULL },
	{ "pz", KERNEL_F32, 7, .value = NULL },
};

void kernel_particles_count(uint64_t count)
{
	for (int i = 0; i < KERNEL_PARTICLES; i++)
		kernel_particles[i].count = count;
}
