/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums up what ranks tell each other by MPI; one process's sums say nothing
 * alone: of all ranks together they are 0 where no message is under way
 * (doc/plan-run.md). Only while places of calls are recorded.
 */
#ifndef WEIR_CAPTURE_MESSAGES_H
#define WEIR_CAPTURE_MESSAGES_H

#include "gate/gate.h"
#include "trace/layout/messages_layout.h"

#include <stdbool.h>
#include <stdint.h>

struct weir_messages {
	uint64_t direct;   /* sent less received */
	uint64_t balance;  /* of collective calls: 0 when all have come */
	uint64_t together; /* of collective calls: the same for all */
	uint32_t doubts;   /* enum weir_messages_doubt */
	bool is_followed;  /* MPI was seen to begin */
};

WEIR_GATE_DOOR bool weir_messages_are_wanted(void);

/* MPI begins. */
WEIR_GATE_DOOR void weir_messages_follow(void);

/* A thread adds; the sums of one call, and doubts. */
WEIR_GATE_DOOR void weir_messages_add(const struct weir_messages *more);

/* Waited for, and not received; or received. */
WEIR_GATE_DOOR void weir_messages_probe(uint64_t message);
WEIR_GATE_DOOR void weir_messages_receive(uint64_t message);

WEIR_GATE_DOOR struct weir_messages weir_messages_look(void);

#endif
