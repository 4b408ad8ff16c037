/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program that is to be killed leaves as its own proof: a page that
 * says, for each thread, how many calls it had entered and how many had
 * returned. tests/lib/victims.py reads it.
 */
#ifndef VICTIM_H
#define VICTIM_H

#include <stdatomic.h>
#include <stdint.h>

#define VICTIM_SLOTS 8191

enum victim_kind {
	VICTIM_READS = 1, /* pread i reads at offset 16 * i */
	VICTIM_SLEEPS,    /* sleeps in its last call */
};

struct victim_slot {
	_Atomic uint32_t pid, tid;
	_Atomic uint32_t kind, pad;
	_Atomic uint64_t entered, returned;
	uint64_t unused[4]; /* a cache line each */
};

struct victim_page {
	_Atomic uint32_t group; /* of processes, to be killed together */
	_Atomic uint32_t ready; /* all threads run, the sleepers sleep */
	_Atomic uint32_t slots;
	uint32_t pad;
	uint64_t unused[6];
	struct victim_slot slot[VICTIM_SLOTS];
};

#endif
