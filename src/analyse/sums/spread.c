/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts how numbers are spread, in classes within 0.4 % of them. */
#include "analyse/sums/spread.h"

#include <errno.h>
#include <stdlib.h>

void weir_spread_fini(struct weir_spread *spread)
{
	free(spread->counts);
	*spread = (struct weir_spread){ 0 };
}

/* The first 128 classes have one number each. */
static unsigned class_of(uint64_t number)
{
	unsigned shift;

	if (number < WEIR_SPREAD_PARTS)
		return (unsigned)number;
	shift = 63u - (unsigned)__builtin_clzll(number) - 7;
	return (shift << 7) + (unsigned)(number >> shift);
}

/* The middle of a class. */
static uint64_t class_middle(unsigned class)
{
	unsigned shift = class / WEIR_SPREAD_PARTS;
	uint64_t begin;

	if (shift < 2)
		return class;
	shift--;
	begin = (uint64_t)(class % WEIR_SPREAD_PARTS + WEIR_SPREAD_PARTS)
		<< shift;
	return begin + (UINT64_C(1) << shift) / 2;
}

static int make(struct weir_spread *spread)
{
	if (!spread->counts)
		spread->counts = calloc(WEIR_SPREAD_CLASSES,
					sizeof(*spread->counts));
	return spread->counts ? 0 : -ENOMEM;
}

static void widen(struct weir_spread *spread, uint64_t least, uint64_t most)
{
	if (!spread->count || least < spread->least)
		spread->least = least;
	if (!spread->count || most > spread->most)
		spread->most = most;
}

int weir_spread_add(struct weir_spread *spread, uint64_t number)
{
	int err = make(spread);

	if (err)
		return err;
	widen(spread, number, number);
	spread->count++;
	spread->counts[class_of(number)]++;
	return 0;
}

int weir_spread_merge(struct weir_spread *to, const struct weir_spread *from)
{
	int err = from->count ? make(to) : 0;

	if (err || !from->count)
		return err;
	widen(to, from->least, from->most);
	to->count += from->count;
	for (unsigned i = 0; i < WEIR_SPREAD_CLASSES; i++)
		to->counts[i] += from->counts[i];
	return 0;
}

static uint64_t within(const struct weir_spread *spread, uint64_t number)
{
	if (number < spread->least)
		return spread->least;
	return number > spread->most ? spread->most : number;
}

uint64_t weir_spread_at(const struct weir_spread *spread, unsigned thousandths)
{
	__extension__ typedef unsigned __int128 wide;
	uint64_t below, seen = 0;

	if (!spread->count)
		return 0;
	below = (uint64_t)(((wide)spread->count * thousandths + 999) / 1000);
	if (below >= spread->count)
		return spread->most;
	if (below <= 1)
		return spread->least;
	for (unsigned i = 0; i < WEIR_SPREAD_CLASSES; i++) {
		seen += spread->counts[i];
		if (seen >= below)
			return within(spread, class_middle(i));
	}
	return spread->most;
}
