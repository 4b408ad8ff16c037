/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Draws random numbers from a seed: the same ones on each machine, so that a
 * search can be repeated.
 */
#ifndef WEIR_SEARCH_DICE_H
#define WEIR_SEARCH_DICE_H

#include <stdint.h>

/* Splitmix64: passes the usual tests, and any seed will do. */
struct weir_dice {
	uint64_t state;
};

static inline uint64_t weir_dice_bits(struct weir_dice *dice)
{
	uint64_t bits = dice->state += UINT64_C(0x9e3779b97f4a7c15);

	bits = (bits ^ (bits >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ (bits >> 27)) * UINT64_C(0x94d049bb133111eb);
	return bits ^ (bits >> 31);
}

/* At least 0, below 1. */
static inline double weir_dice_share(struct weir_dice *dice)
{
	return (double)(weir_dice_bits(dice) >> 11) * 0x1p-53;
}

/* One of 0 .. count - 1; count is at least 1. */
static inline uint32_t weir_dice_below(struct weir_dice *dice, uint32_t count)
{
	return (uint32_t)(weir_dice_share(dice) * count);
}

#endif
