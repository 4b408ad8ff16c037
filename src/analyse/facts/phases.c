/* SPDX-License-Identifier: BSD-3-Clause */
/* Records when processes write to files, and for how long. */
#include "analyse/facts/phases.h"

#include "base/grow.h"

void weir_phases_fini(struct weir_phases *phases)
{
	free(phases->list);
	weir_bypair_fini(&phases->last);
	*phases = (struct weir_phases){ 0 };
}

/*
 * The user's last one, unless it is of a step before. Times of damaged traces
 * may go back: then they stand still, or steps could never become few.
 */
static int add_phase(struct weir_phases *phases, const struct weir_phase *what)
{
	uint32_t *last = weir_bypair_get(&phases->last, what->user);
	struct weir_phase *phase;

	if (!last || WEIR_GROW(phases->list, phases->count, phases->room))
		return -ENOMEM;
	phase = *last ? &phases->list[*last - 1] : NULL;
	phases->users += !phase;
	if (!phase || phase->step < what->step) {
		phases->list[phases->count++] = *what;
		*last = (uint32_t)phases->count;
		return 0;
	}
	phase->writes += what->writes;
	phase->closes += what->closes;
	phase->syncs += what->syncs;
	phase->bytes += what->bytes;
	phase->time += what->time;
	phase->syncing += what->syncing;
	return 0;
}

/* In place: what is left is never more than what was read. */
int weir_phases_widen(struct weir_phases *phases, unsigned shift)
{
	size_t count = phases->count;
	unsigned more = shift > phases->shift ? shift - phases->shift : 0;
	int err = 0;

	if (!more)
		return 0;
	for (uint32_t i = 0; i < phases->last.room; i++)
		phases->last.index[i] = 0;
	phases->count = phases->users = 0;
	phases->shift = shift;
	for (size_t i = 0; !err && i < count; i++) {
		struct weir_phase phase = phases->list[i];

		phase.step >>= more;
		err = add_phase(phases, &phase);
	}
	return err;
}

/* Each user has one at least, and is given room for a few. */
static size_t limit_of(const struct weir_phases *phases)
{
	size_t few = 4 * phases->users;

	return few > WEIR_PHASES_MOST ? few : WEIR_PHASES_MOST;
}

static int make_less(struct weir_phases *phases)
{
	size_t limit = limit_of(phases);
	int err = 0;

	if (phases->count < limit)
		return 0;
	while (!err && phases->count > limit / 2)
		err = weir_phases_widen(phases, phases->shift + 1);
	return err;
}

int weir_phases_note(struct weir_phases *phases, uint64_t real,
		     const struct weir_phase *what)
{
	struct weir_phase phase = *what;
	int err;

	if (!phases->shift)
		phases->shift = WEIR_PHASES_SHORTEST;
	err = make_less(phases);
	if (err)
		return err;
	phase.step = real >> phases->shift;
	return add_phase(phases, &phase);
}
