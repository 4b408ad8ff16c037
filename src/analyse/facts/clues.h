/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what speaks for a finding, by file and process. */
#ifndef WEIR_FACTS_CLUES_H
#define WEIR_FACTS_CLUES_H

#include "analyse/facts/witness.h"
#include "trace/bytes/map.h"

#include <stddef.h>
#include <stdint.h>

/* Calls of one process on one file that a rule of spec/findings is about. */
struct weir_clue {
	uint32_t rule; /* WEIR_RULE_* */
	uint32_t file; /* number in the names; 0: none */
	uint32_t proc; /* 0: of all */
	uint64_t count; /* what the rule counts */
	uint64_t of;	/* out of so many */
	uint64_t bytes, time; /* of these calls; ns */
	uint64_t saving; /* ns that the process could do without */
	uint64_t need; /* bytes of the cache that would do it; 0: none */
	uint8_t from_sums; /* not from single calls */
	uint8_t is_programs; /* only the program itself can change it */
	struct weir_witness witness;
	struct weir_witness partner; /* the call that makes it a fault */
};

/* Calls among which a rule of files found nothing. */
struct weir_clues_base {
	uint32_t rule, file;
	uint64_t of;
};

/* Zero it to begin. */
struct weir_clues {
	struct weir_clue *list;
	size_t count, room;
	struct weir_map index; /* rule, file and process to index + 1 */
	struct weir_map files; /* rule and file of which there is one */
	struct weir_clues_base *bases; /* until they are settled */
	size_t base_count, base_room;
};

void weir_clues_fini(struct weir_clues *clues);

/* The one of these three, made when it is new; NULL: no memory. */
struct weir_clue *weir_clues_get(struct weir_clues *clues, uint32_t rule,
				 uint32_t file, uint32_t proc);

/*
 * Adds a clue to the one with the same rule, file and process. One that counts
 * nothing goes to that of no file and no process, for rules that are judged by
 * run; for others it is kept until clues are settled.
 */
int weir_clues_add(struct weir_clues *clues, const struct weir_clue *clue);

/*
 * When all have been added: what counts nothing goes to the file, of which
 * something else was counted, or is forgotten. 0 or -ENOMEM.
 */
int weir_clues_settle(struct weir_clues *clues);

/* When no more will be added: what finds them is given back. */
void weir_clues_close(struct weir_clues *clues);

int weir_clues_merge(struct weir_clues *to, const struct weir_clues *from);

#endif
