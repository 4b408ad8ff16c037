/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the HEAD block early, and again when the tick is known better. */
#include "launch/collect/heading.h"

#include "launch/clocks/timeclient.h"
#include "trace/layout/anchor.h"
#include "trace/live/salvage.h"

#include <string.h>
#include <unistd.h>

#define SHORT UINT64_C(1000000) /* ns: too near to tell a tick's length */

void weir_heading_compare(struct weir_heading *heading, uint64_t of,
			  const struct weir_timepoint *point)
{
	struct weir_clockfix *clock = &heading->clock;

	clock->of = of;
	clock->points[clock->count ? 1 : 0] = (struct weir_clockfix_point){
		.mono = point->mono,
		.error = point->error,
		.ahead = (int64_t)(point->day - point->mono),
	};
	if (clock->count < 2)
		clock->count++;
}

/* Times of the file are by the monotonic clock and this one moment. */
static struct weir_clockfix fix_of(const struct weir_heading *heading)
{
	const struct weir_live_anchor *first = &heading->about.first;
	struct weir_clockfix fix = heading->clock;

	for (uint32_t i = 0; i < fix.count; i++)
		fix.points[i].ahead -= (int64_t)(first->real - first->mono);
	return fix;
}

int weir_heading_update(struct weir_heading *heading, struct weir_store *store)
{
	const struct weir_live *about = &heading->about;
	uint64_t mult = UINT64_C(1) << 32;
	struct weir_clockfix clock = fix_of(heading);
	const struct weir_live_anchor *from;
	struct weir_live_anchor now;

	if (about->clock_is_tsc) {
		now = weir_anchor_now(true);
		from = now.mono - about->first.mono < SHORT ? &heading->early
							    : &about->first;
		mult = weir_anchor_mult(from, &now);
	}
	return weir_salvage_put_head(store, about, mult, &clock,
				     &heading->mounts);
}

/*
 * Clocks of hosts are compared to the microsecond, but a process may have been
 * held up while it read its clocks: the moment becomes one that we know well.
 */
static void sharpen(struct weir_heading *heading)
{
	struct weir_live_anchor *first = &heading->about.first;
	struct weir_live_anchor now = weir_anchor_now(true);

	heading->early = *first;
	if (!heading->about.clock_is_tsc || !first->mono || !now.mono)
		return;
	first->real += now.mono - first->mono;
	first->mono = now.mono;
	first->tick = now.tick;
}

int weir_heading_start(struct weir_heading *heading, struct weir_store *store,
		       const struct weir_live *about)
{
	int err;

	if (heading->written)
		return 0;
	if (about) {
		heading->about = *about;
		sharpen(heading);
	} else {
		memset(&heading->about, 0, sizeof(heading->about));
		heading->about.first = weir_anchor_now(false);
		gethostname(heading->about.host,
			    sizeof(heading->about.host) - 1);
	}
	err = weir_heading_update(heading, store);
	if (!err)
		err = weir_salvage_put_dict(store);
	heading->written = !err;
	return err;
}
