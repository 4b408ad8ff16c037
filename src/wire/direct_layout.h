/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lays out the direct table: files that processes have open without having
 * handed them over to the daemon. All clients map and write it. The daemon
 * looks there for a file that it is given: what somebody uses by the kernel
 * alone, everybody does.
 *
 * Who notes a file looks at the board afterwards, and the daemon looks here
 * after a file is on the board: one of the two always sees the other.
 */
#ifndef WEIR_WIRE_DIRECT_LAYOUT_H
#define WEIR_WIRE_DIRECT_LAYOUT_H

#include "wire/board_layout.h"

#define WEIR_DIRECT_MAGIC  UINT64_C(0x31726964726965) /* "eirdir1" */
#define WEIR_DIRECT_SLOTS  4096u /* a power of two */
#define WEIR_DIRECT_PROBES 64u	 /* slots looked at for a file */

/* In the runtime directory: where the two are found without the daemon. */
#define WEIR_DIRECT_BOARD "board"
#define WEIR_DIRECT_TABLE "direct"

/* What is counted: descriptors, and those that only the kernel serves. */
#define WEIR_DIRECT_OPEN   UINT64_C(1)
#define WEIR_DIRECT_KERNEL (UINT64_C(1) << 32)

/* Of the whole table. Off: a backend of its own has what the kernel has not. */
enum weir_direct_use {
	WEIR_DIRECT_UNDECIDED, /* the daemon has just been started */
	WEIR_DIRECT_ON,
	WEIR_DIRECT_OFF,
};

struct weir_direct_slot {
	_Atomic uint32_t pid;	 /* 0: free */
	_Atomic uint64_t counts; /* 0: it says nothing */
	_Atomic uint64_t dev, ino;
};

struct weir_direct {
	uint64_t magic;
	uint64_t interface;
	uint64_t directory; /* hash of the runtime directory's name */
	uint64_t pids; /* the pid namespace in which pids mean something */
	_Atomic uint32_t use; /* enum weir_direct_use */
	_Alignas(64) struct weir_direct_slot slots[WEIR_DIRECT_SLOTS];
};

static inline uint64_t weir_direct_name(const char *directory)
{
	uint64_t mixed = UINT64_C(0xcbf29ce484222325);

	for (; *directory; directory++)
		mixed = (mixed ^ (unsigned char)*directory) *
			UINT64_C(0x100000001b3);
	return mixed;
}

/* The i-th slot to look at for a file, i below WEIR_DIRECT_PROBES. */
static inline uint32_t weir_direct_probe(uint64_t dev, uint64_t ino, uint32_t i)
{
	return (weir_board_hash(dev, ino) + i) & (WEIR_DIRECT_SLOTS - 1);
}

static inline bool weir_direct_is_of(struct weir_direct_slot *slot,
				     uint64_t dev, uint64_t ino)
{
	return atomic_load(&slot->ino) == ino && atomic_load(&slot->dev) == dev;
}

/* Who brings the counts to 0 frees the slot. */
static inline void weir_direct_add(struct weir_direct_slot *slot,
				   uint64_t change)
{
	if (atomic_fetch_add(&slot->counts, change) + change == 0)
		atomic_store(&slot->pid, 0);
}

/* Frees the slot of a process that has ended, unless it counts otherwise. */
static inline void weir_direct_clear(struct weir_direct_slot *slot,
				     uint64_t counts)
{
	if (counts && atomic_compare_exchange_strong(&slot->counts, &counts, 0))
		atomic_store(&slot->pid, 0);
}

#endif
