/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes files that a process has open without its service. */
#include "forward/link/direct.h"

#include "base/sys.h"
#include "forward/link/link.h"
#include "forward/link/link_map.h"
#include "forward/link/self.h"
#include "gate/confined.h"

#include <string.h>

static struct weir_direct *_Atomic mapped, *_Atomic table;
static _Atomic bool has_looked;

/* Slots that this program has taken: others of its number are leftovers. */
static _Atomic uint64_t mine[WEIR_DIRECT_SLOTS / 64];

static bool is_mine(uint32_t slot)
{
	return atomic_load(&mine[slot / 64]) >> slot % 64 & 1;
}

/* Two threads that look at once map it twice, and that is all. */
static struct weir_direct *map_both(void)
{
	struct weir_direct *found = atomic_load(&mapped);

	if (found)
		return found;
	found = weir_link_map_direct(weir_link_directory());
	if (found && found->pids != weir_self_pid_namespace())
		found = NULL;
	atomic_store(&mapped, found);
	return found;
}

/* Files that are created later are the daemon's business from the start. */
static void look_for_table(void)
{
	struct weir_direct *found =
		weir_confined || weir_link_is_deferring ? NULL : map_both();
	uint32_t use = found ? atomic_load(&found->use) : WEIR_DIRECT_OFF;

	if (use == WEIR_DIRECT_ON)
		atomic_store(&table, found);
	atomic_store(&has_looked, use != WEIR_DIRECT_UNDECIDED);
}

struct weir_direct *weir_direct_table(void)
{
	if (!atomic_load(&has_looked))
		look_for_table();
	return atomic_load(&table);
}

struct weir_direct_slot *weir_direct_at(uint32_t slot)
{
	return &atomic_load(&table)->slots[slot];
}

void weir_direct_change(uint32_t slot, uint64_t change)
{
	weir_direct_add(weir_direct_at(slot), change);
}

void weir_direct_forked(void)
{
	memset(mine, 0, sizeof(mine));
}

/* One more, unless it has been freed meanwhile. */
static bool add_to(struct weir_direct_slot *slot, uint64_t count)
{
	uint64_t seen = atomic_load(&slot->counts);

	while (seen)
		if (atomic_compare_exchange_weak(&slot->counts, &seen,
						 seen + count))
			return true;
	return false;
}

/* A file of ours: one of the program that was here before us is cleared. */
static bool use_noted(uint32_t place, uint64_t count)
{
	struct weir_direct_slot *slot = weir_direct_at(place);

	if (is_mine(place))
		return add_to(slot, count);
	weir_direct_clear(slot, atomic_load(&slot->counts));
	return false;
}

struct note {
	uint64_t dev, ino, count;
	uint32_t pid;
};

static int find_noted(const struct note *note)
{
	for (uint32_t i = 0; i < WEIR_DIRECT_PROBES; i++) {
		uint32_t place = weir_direct_probe(note->dev, note->ino, i);
		struct weir_direct_slot *slot = weir_direct_at(place);

		if (atomic_load(&slot->pid) == note->pid &&
		    weir_direct_is_of(slot, note->dev, note->ino) &&
		    use_noted(place, note->count))
			return (int)place;
	}
	return -1;
}

static bool claim_slot_for(uint32_t place, const struct note *note)
{
	struct weir_direct_slot *slot = weir_direct_at(place);
	uint32_t nobody = 0;

	if (!atomic_compare_exchange_strong(&slot->pid, &nobody, note->pid))
		return false;
	atomic_fetch_or(&mine[place / 64], UINT64_C(1) << place % 64);
	atomic_store(&slot->dev, note->dev);
	atomic_store(&slot->ino, note->ino);
	atomic_store(&slot->counts, note->count);
	return true;
}

static int take_free(const struct note *note)
{
	for (uint32_t i = 0; i < WEIR_DIRECT_PROBES; i++) {
		uint32_t place = weir_direct_probe(note->dev, note->ino, i);

		if (!atomic_load(&weir_direct_at(place)->pid) &&
		    claim_slot_for(place, note))
			return (int)place;
	}
	return -1;
}

/* One that died while it took a slot has counted nothing in it. */
static void free_ended(const struct note *note)
{
	for (uint32_t i = 0; i < WEIR_DIRECT_PROBES; i++) {
		uint32_t place = weir_direct_probe(note->dev, note->ino, i);
		struct weir_direct_slot *slot = weir_direct_at(place);
		uint32_t pid = atomic_load(&slot->pid);
		uint64_t counts = atomic_load(&slot->counts);

		if (!pid || !weir_self_has_ended(pid))
			continue;
		if (counts)
			weir_direct_clear(slot, counts);
		else
			atomic_compare_exchange_strong(&slot->pid, &pid, 0);
	}
}

int weir_direct_note(uint64_t dev, uint64_t ino, uint64_t count)
{
	struct note note = {.dev = dev, .ino = ino, .count = count};
	int slot;

	if (!weir_direct_table())
		return -1;
	note.pid = (uint32_t)weir_sys0(SYS_getpid);
	slot = find_noted(&note);
	if (slot < 0)
		slot = take_free(&note);
	if (slot >= 0)
		return slot;
	free_ended(&note);
	return take_free(&note);
}
