/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows the process images of a live directory from first to last. */
#ifndef WEIR_COLLECT_ROSTER_H
#define WEIR_COLLECT_ROSTER_H

#include "launch/collect/image.h"
#include "trace/control/unrecorded.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_heading;

#define WEIR_ROSTER_ENDED 16

struct weir_roster {
	int dir_fd;
	bool rescan;      /* look at the directory next time */
	bool unread;      /* not all that is in it could be taken in */
	uint64_t changed; /* when it changed last, ns of CLOCK_REALTIME */
	struct weir_image **images;
	size_t count, room;
	size_t reap_next; /* where the next partial look begins */
	uint32_t numbers; /* given to processes so far */
	struct weir_roster_seen *seen;
	size_t seen_count, seen_room;
	struct weir_unrecorded refused; /* images we could not read */
	/* Whose images ended last; an exec may bring another. */
	struct weir_roster_ended {
		uint32_t pid;
		uint64_t start;
	} ended[WEIR_ROSTER_ENDED];
	uint32_t ended_next;
	/* Sums over the images that ended. */
	uint64_t lost, dropped, hidden[4];
	uint64_t kept, overwritten; /* short records */
	int err; /* first failure of a block that must not be missing */
};

int weir_roster_open(struct weir_roster *roster, const char *live_dir);
void weir_roster_close(struct weir_roster *roster);

/* Notices new live files and maps those that are ready. */
void weir_roster_admit(struct weir_roster *roster,
		       const struct weir_image_pass *pass,
		       struct weir_heading *heading);

/*
 * All that is left are live files that we cannot read, or a directory that
 * we cannot list, since that time (ns of CLOCK_MONOTONIC) at least.
 */
bool weir_roster_is_stuck(const struct weir_roster *roster, uint64_t since);

/* One whose image ended lately runs on: it may be about to come again. */
bool weir_roster_sees_exec(const struct weir_roster *roster);

/* One pass over all images; returns the number of chunks stored. */
uint32_t weir_roster_drain(struct weir_roster *roster,
			   const struct weir_image_pass *pass);

/*
 * Finishes images that are gone. Looks at some in turn and at those that
 * hint at it; `all`: at every one. Returns the number finished.
 */
uint32_t weir_roster_reap(struct weir_roster *roster,
			  const struct weir_image_pass *pass, bool all);

#endif
