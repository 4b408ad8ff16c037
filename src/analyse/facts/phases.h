/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records when processes write to files, and for how long: in steps of time,
 * which are as short as memory allows.
 */
#ifndef WEIR_FACTS_PHASES_H
#define WEIR_FACTS_PHASES_H

#include "analyse/facts/bypair.h"

#include <stddef.h>
#include <stdint.h>

#define WEIR_PHASES_SHORTEST 20 /* bits of ns: about a millisecond */
#define WEIR_PHASES_MOST     (16 << 10) /* more, and steps become longer */

/* What one process did to one file in one step of time. */
struct weir_phase {
	uint32_t user;	  /* process and file, by the number of who notes */
	uint32_t writes;
	uint32_t closes, syncs; /* with something written before */
	uint64_t step;	  /* real time, without the bits of its length */
	uint64_t bytes;
	uint64_t time;	  /* of all of these, ns */
	uint64_t syncing; /* of syncs alone */
};

/* Zero it to begin. */
struct weir_phases {
	struct weir_phase *list; /* of each user in order */
	size_t count, room, users;
	unsigned shift; /* the length of steps; 0: nothing noted yet */
	struct weir_bypair last; /* of each user: index + 1 */
};

void weir_phases_fini(struct weir_phases *phases);

/*
 * Adds to the step that holds `real`, or to the user's last one if that is
 * later. `what->step` does not matter. 0 or -ENOMEM.
 */
int weir_phases_note(struct weir_phases *phases, uint64_t real,
		     const struct weir_phase *what);

/* Makes steps at least that long. 0 or -ENOMEM. */
int weir_phases_widen(struct weir_phases *phases, unsigned shift);

#endif
