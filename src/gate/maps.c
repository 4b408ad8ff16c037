/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps memory to files: ranges that were mapped by recorded calls. */
#include "gate/maps.h"

#define FREE    0
#define CLAIMED 1 /* somebody is changing it: no address is that low */
#define PAGE    4096

/* `start` tells whether the rest may be read; it is written last. */
struct slot {
	_Atomic uintptr_t start;
	_Atomic uintptr_t end;
	_Atomic int64_t off;
	_Atomic uint32_t handle;
};

static struct slot slots[WEIR_MAPS_COUNT];
_Atomic uint32_t weir_maps_top;

static void fill_slot(struct slot *slot, const struct weir_maps_part *part)
{
	atomic_store(&slot->end, part->end);
	atomic_store(&slot->off, part->off);
	atomic_store(&slot->handle, part->handle);
	atomic_store(&slot->start, part->start);
}

static void raise_top(uint32_t top)
{
	uint32_t seen = atomic_load(&weir_maps_top);

	while (top > seen &&
	       !atomic_compare_exchange_weak(&weir_maps_top, &seen, top))
		;
}

/* The lowest free slot, so that what is searched stays short. */
bool weir_maps_add(const struct weir_maps_part *part)
{
	for (uint32_t i = 0; i < WEIR_MAPS_COUNT; i++) {
		uintptr_t none = FREE;

		if (atomic_load_explicit(&slots[i].start,
					 memory_order_relaxed) != FREE ||
		    !atomic_compare_exchange_strong(&slots[i].start, &none,
						    CLAIMED))
			continue;
		raise_top(i + 1);
		fill_slot(&slots[i], part);
		return true;
	}
	return false;
}

/* A copy of a slot; false when it is not in use or was just changed. */
static bool read_slot(struct slot *slot, struct weir_maps_part *part)
{
	part->start = atomic_load(&slot->start);
	if (part->start <= CLAIMED)
		return false;
	part->end = atomic_load(&slot->end);
	part->off = atomic_load(&slot->off);
	part->handle = atomic_load(&slot->handle);
	return atomic_load(&slot->start) == part->start;
}

static bool overlaps(const struct weir_maps_part *part, uintptr_t start,
		     uintptr_t end)
{
	return part->start < end && start < part->end;
}

static void trim(struct weir_maps_part *part, uintptr_t start, uintptr_t end)
{
	if (part->start < start) {
		part->off += (int64_t)(start - part->start);
		part->start = start;
	}
	if (part->end > end)
		part->end = end;
}

bool weir_maps_find(uintptr_t start, uintptr_t end,
		    struct weir_maps_part *ret_part)
{
	uint32_t top = atomic_load(&weir_maps_top);
	struct weir_maps_part part;
	bool found = false;

	for (uint32_t i = 0; i < top; i++) {
		if (!read_slot(&slots[i], &part) ||
		    !overlaps(&part, start, end) ||
		    (found && part.start > ret_part->start))
			continue;
		found = true;
		*ret_part = part;
	}
	if (found)
		trim(ret_part, start, end);
	return found;
}

/* What is left on both sides stays known. */
static void cut_slot(struct slot *slot, const struct weir_maps_part *part,
		     uintptr_t start, uintptr_t end)
{
	uintptr_t seen = part->start;
	struct weir_maps_part before = *part, after = *part;

	if (!atomic_compare_exchange_strong(&slot->start, &seen, CLAIMED))
		return;
	trim(&before, 0, start);
	trim(&after, end, UINTPTR_MAX);
	if (after.start < after.end)
		weir_maps_add(&after);
	if (before.start < before.end)
		fill_slot(slot, &before);
	else
		atomic_store(&slot->start, FREE);
}

void weir_maps_cut(uintptr_t start, uintptr_t end)
{
	uint32_t top = atomic_load(&weir_maps_top);
	struct weir_maps_part part;

	end = (end + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	for (uint32_t i = 0; i < top; i++)
		if (read_slot(&slots[i], &part) &&
		    overlaps(&part, start, end))
			cut_slot(&slots[i], &part, start, end);
}

void weir_maps_disown(void)
{
	uint32_t top = atomic_load(&weir_maps_top);

	for (uint32_t i = 0; i < top; i++)
		atomic_store(&slots[i].handle, 0);
}
