/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts, compares and draws points of a domain. */
#include "tune/search/domain.h"

uint64_t weir_domain_size(const struct weir_domain *domain)
{
	uint64_t size = 1;

	for (uint32_t a = 0; a < domain->count; a++)
		if (__builtin_mul_overflow(size, domain->axes[a].levels, &size))
			return UINT64_MAX;
	return size;
}

bool weir_domain_same(const struct weir_domain *domain,
		      const struct weir_domain_point *a,
		      const struct weir_domain_point *b)
{
	for (uint32_t i = 0; i < domain->count; i++)
		if (a->level[i] != b->level[i])
			return false;
	return true;
}

void weir_domain_draw(const struct weir_domain *domain, struct weir_dice *dice,
		      struct weir_domain_point *ret_point)
{
	*ret_point = (struct weir_domain_point){ 0 };
	for (uint32_t a = 0; a < domain->count; a++)
		ret_point->level[a] = (uint16_t)weir_dice_below(
			dice, domain->axes[a].levels);
}

bool weir_domain_is_free(const struct weir_domain *domain, uint32_t axis)
{
	return domain->axes[axis].levels > 1;
}

void weir_domain_mutate(const struct weir_domain *domain,
			struct weir_dice *dice, uint32_t axis,
			struct weir_domain_point *point)
{
	uint32_t others = domain->axes[axis].levels - UINT32_C(1);
	uint32_t level;

	if (!others)
		return;
	level = weir_dice_below(dice, others);
	point->level[axis] =
		(uint16_t)(level + (level >= point->level[axis]));
}
