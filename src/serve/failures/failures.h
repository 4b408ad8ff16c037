/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps the ledger of ranges that could not be stored, in memory that outlives
 * the daemon. Any thread.
 */
#ifndef WEIR_FAILURES_FAILURES_H
#define WEIR_FAILURES_FAILURES_H

#include "serve/state/state.h"

#include <stdbool.h>

/* Takes over what another process wrote; not needed before the first use. */
void weir_failures_read(void);

struct weir_failures_range {
	uint32_t file, turn; /* place on the board */
	uint64_t offset, length;
};

struct weir_failures_one {
	struct weir_failures_range range;
	int error; /* errno */
	uint32_t tries;
	const char *path;
};

/*
 * One entry for what touches: what is open already and overlaps, or lies next
 * to it for the same reason, becomes one with it.
 */
void weir_failures_fail(const struct weir_failures_one *failure);

/* What is open in a range has this fate; entries on its edge are cut. */
void weir_failures_settle(const struct weir_failures_range *range,
			enum weir_state_fate fate);

/* The errno of an entry that is open for a file; 0: none. */
int weir_failures_error(uint32_t file, uint32_t turn);

/*
 * All that there is, in the order it was made; also for processes that did not
 * make it.
 */
void weir_failures_each(void (*look)(const struct weir_state_failure *entry,
				   void *arg),
		      void *arg);

/* Those that are open and meant have an end, whatever their range. */
struct weir_failures_end {
	bool (*is_meant)(const struct weir_state_failure *entry, void *arg);
	void *arg;
	enum weir_state_fate fate;
	const char *rescue; /* the file's name, or NULL */
};
void weir_failures_close(const struct weir_failures_end *end);

#endif
