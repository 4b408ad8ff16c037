/* SPDX-License-Identifier: BSD-3-Clause */
/* The HEAD block: written early, and again when the tick is known better. */
#include "launch/heading.h"

#include "trace/anchor.h"
#include "trace/salvage.h"

#include <string.h>
#include <unistd.h>

int weir_heading_update(struct weir_heading *heading, struct weir_store *store)
{
	const struct weir_live *about = &heading->about;
	uint64_t mult = UINT64_C(1) << 32;
	struct weir_live_anchor now;

	if (about->clock_is_tsc) {
		now = weir_anchor_now(true);
		mult = weir_anchor_mult(&about->first, &now);
	}
	return weir_salvage_put_head(store, about, mult);
}

int weir_heading_start(struct weir_heading *heading, struct weir_store *store,
		       const struct weir_live *about)
{
	int err;

	if (heading->written)
		return 0;
	if (about) {
		heading->about = *about;
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
